/// The container of saves: named parts of bytes, each with its length and checksum.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace horde {

/// Of any bytes: a change within eight of them that begin at a multiple of eight, or of their number, always
/// shows; any other does but for one in 2^64.
std::uint64_t checksum(std::string_view bytes);

struct SavePart {
    std::string name;  ///< at most 15 letters
    std::string bytes;
};

/// What is in front of the parts. They follow it in the order of the table, which ends with a checksum of all
/// before it:
///
///     0  "horde" 0x1a "S" 0x0a    8  format    12  number of parts    16  version of the library (16
///     letters) 32 length of the file       40 for each part: name (16 letters), length, checksum; then the
///     checksum
///
/// Numbers are of 4 or 8 bytes, the least first; texts are filled up with 0.
inline constexpr std::uint32_t kSaveFormat = 1;

/// The whole file as bytes.
std::string save_bytes(const std::vector<SavePart>& parts, const std::string& library);

/// A save that has been read: views into the bytes that it was parsed from.
struct SaveView {
    std::string library;  ///< version that wrote it
    struct Part {
        std::string name;
        std::string_view bytes;
    };
    std::vector<Part> parts;

    /// Throws Error if there is none of that name.
    std::string_view part(std::string_view name) const;
};

/// Throws Error, beginning with `name`, for bytes that are no whole save of a format that this build reads.
SaveView parse_save(std::string_view bytes, const std::string& name);

/// A whole file. Throws Error if it cannot be read or is no plain file.
std::string read_bytes(const std::string& path);

/// Writes a file that is there whole or not at all, and is on the disk when this returns. Throws Error.
void write_durably(const std::string& path, std::string_view bytes);

}  // namespace horde
