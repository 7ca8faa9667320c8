// HDF5 files of every shape that a description in bytes asks for.
#pragma once

#include <string>
#include <string_view>

namespace horde::test {

// Writes a file that HDF5 itself finds whole, with the columns of a trajectory in the types, ranks, extents,
// chunks and values that `bytes` choose; without any bytes, and beyond their end, the choice is what horde
// writes.
//
// Why no raw bytes: HDF5 1.10 reads beyond its memory in files whose own structure is damaged (an attribute's
// name without an end is enough), before a reader is asked anything. What can be held to its word here is
// what we make of a file that HDF5 has taken.
void write_described_h5(const std::string& path, std::string_view bytes);

}  // namespace horde::test
