/// Line plots as PNG, on the canvas of pictures: no more than benchmarks need.
#pragma once

#include <string>
#include <vector>

namespace horde::bench {

/// Points in the order of x. Low and high, where there are any, draw a band; a point that is not finite
/// breaks the line.
struct PlotLine {
    std::string name;
    std::vector<double> x = {};
    std::vector<double> y = {};
    std::vector<double> low = {};
    std::vector<double> high = {};
    bool dashed = false;
    int colour = -1;  ///< place in the palette; -1: the line's own place among the lines
};

struct PlotAxis {
    std::string label;
    bool log = false;
    std::vector<double> ticks = {};  ///< those within the axis are drawn; empty: chosen
    bool from_zero = false;          ///< a linear axis begins at 0
};

struct Plot {
    std::string title = {};
    PlotAxis x = {};
    PlotAxis y = {};
    std::vector<PlotLine> lines = {};
    double reference = 0.0;  ///< a thin line across at this y; 0: none
};

/// Draws plots side by side under one heading and a line below it. At least one plot, each with a line that
/// has finite points (above 0 on a log axis). Throws Error for a place that cannot be written.
void write_plots(const std::string& path, const std::string& heading, const std::string& below,
                 const std::vector<Plot>& plots);

/// Places for ticks between two values, least < most: 1, 2 or 5 times a power of ten apart, or on a log axis
/// at 1, 2 and 5 times powers of ten (at 1 times if that is enough).
std::vector<double> choose_ticks(double least, double most, bool log);

}  // namespace horde::bench
