/// What all benchmarks print and write.
#pragma once

#include <string>
#include <vector>

#include "bench/rows.h"
#include "json.h"
#include "options.h"

namespace horde {

/// Throws Error if --csv or --plot cannot be written, before anything is measured.
void check_bench_outputs(const BenchOptions& options);

/// Writes the CSV, if one is asked for, and with --json the object: rows, what `more` holds, and where they
/// come from. Returns true if that is all, else it has printed the machine's line for a summary to follow.
bool write_rows(const std::vector<bench::Row>& rows, const BenchOptions& options,
                const Json& more = Json::object());

/// Min, median and max of the row and of its stages. `item` is what the last column is per: "agent" or
/// "cell".
void print_row(const bench::Row& row, const std::string& item);

/// The path of a plot in the folder of --plot; tells that it is written.
std::string plot_path(const BenchOptions& options, const std::string& name);

/// Tells where the CSV is.
void print_csv(const BenchOptions& options);

}  // namespace horde
