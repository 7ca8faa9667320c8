#include "io/save/save_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/random.h"
#include "horde/error.h"
#include "io/atomic_file.h"
#include "io/line_reader.h"
#include "io/save/bytes.h"

namespace horde {
namespace {

constexpr std::string_view kMagic("horde\x1aS\n", 8);
constexpr std::size_t kHeadBytes = 40;
constexpr std::size_t kEntryBytes = 32;
constexpr std::size_t kNameBytes = 16;
constexpr std::uint32_t kMostParts = 64;

void put_text(std::string& out, std::string text) {
    text.resize(kNameBytes, '\0');
    text.back() = '\0';
    out += text;
}

std::string text_at(std::string_view bytes, std::size_t at) {
    const std::string_view field = bytes.substr(at, kNameBytes);
    return printable(field.substr(0, field.find('\0')));
}

}  // namespace

std::uint64_t checksum(std::string_view bytes) {
    std::uint64_t sum = mix64(bytes.size());
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) sum = mix64(sum, number_at(bytes, at, 8));
    return at < bytes.size() ? mix64(sum, number_at(bytes, at, bytes.size() - at)) : sum;
}

std::string save_bytes(const std::vector<SavePart>& parts, const std::string& library) {
    std::uint64_t length = kHeadBytes + parts.size() * kEntryBytes + 8;
    for (const SavePart& part : parts) length += part.bytes.size();
    std::string out;
    out.reserve(static_cast<std::size_t>(length));
    out += kMagic;
    put(out, kSaveFormat, 4);
    put(out, parts.size(), 4);
    put_text(out, library);
    put(out, length, 8);
    for (const SavePart& part : parts) {
        put_text(out, part.name);
        put(out, part.bytes.size(), 8);
        put(out, checksum(part.bytes), 8);
    }
    put(out, checksum(out), 8);
    for (const SavePart& part : parts) out += part.bytes;
    return out;
}

std::string_view SaveView::part(std::string_view name) const {
    for (const Part& each : parts) {
        if (each.name == name) return each.bytes;
    }
    throw Error("the part \"" + std::string(name) + "\" is missing; the file is of another version of horde");
}

SaveView parse_save(std::string_view bytes, const std::string& name) {
    const auto refuse = [&](const std::string& what) { throw Error(name + ": " + what); };
    if (bytes.substr(0, kMagic.size()) != kMagic.substr(0, std::min(bytes.size(), kMagic.size())) ||
        bytes.empty())
        refuse("is no save of horde; give a file that --save or World::save has written");
    if (bytes.size() < kHeadBytes) refuse("is cut off in its first bytes; take an older save");
    const std::uint64_t format = number_at(bytes, 8, 4), count = number_at(bytes, 12, 4);
    SaveView view;
    view.library = text_at(bytes, 16);
    if (format > kSaveFormat) {
        refuse("has format " + std::to_string(format) + " of horde " + view.library +
               ", and this build reads up to " + std::to_string(kSaveFormat) +
               "; use that version or a newer one");
    }
    const std::uint64_t length = number_at(bytes, 32, 8);
    if (length > bytes.size()) {
        refuse("is cut off: " + std::to_string(bytes.size()) + " of " + std::to_string(length) +
               " bytes are there; take an older save");
    }
    const std::uint64_t table_end = kHeadBytes + count * kEntryBytes;
    const bool sound = format == kSaveFormat && count <= kMostParts && length == bytes.size() &&
                       table_end + 8 <= length &&
                       checksum(bytes.substr(0, table_end)) == number_at(bytes, table_end, 8);
    if (!sound) refuse("is damaged: its table of parts has another checksum; take an older save");
    std::size_t at = static_cast<std::size_t>(table_end) + 8;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t entry = kHeadBytes + k * kEntryBytes;
        const std::string part = text_at(bytes, entry);
        const std::uint64_t size = number_at(bytes, entry + 16, 8);
        if (size > bytes.size() - at) refuse("is damaged: part \"" + part + "\" is longer than the file");
        const std::string_view inside = bytes.substr(at, static_cast<std::size_t>(size));
        if (checksum(inside) != number_at(bytes, entry + 24, 8))
            refuse("is damaged: part \"" + part + "\" has another checksum; take an older save");
        view.parts.push_back({part, inside});
        at += inside.size();
    }
    if (at != bytes.size()) refuse("is damaged: bytes follow its last part");
    return view;
}

std::string read_bytes(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const auto refuse = [&](const std::string& why) {
        if (file >= 0) ::close(file);
        throw Error("cannot read " + path + ": " + why);
    };
    if (file < 0) refuse(std::string(std::strerror(errno)) + "; give a file that is there");
    struct stat status = {};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) refuse("it is no plain file; give one");
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got = ::read(file, bytes.data() + done, bytes.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuse(std::strerror(errno));
        if (got == 0) break;  // it has become shorter
        done += static_cast<std::size_t>(got);
    }
    ::close(file);
    bytes.resize(done);
    return bytes;
}

void write_durably(const std::string& path, std::string_view bytes) {
    ByteSink sink(path);
    sink.append(bytes);
    sink.commit_durably();
}

}  // namespace horde
