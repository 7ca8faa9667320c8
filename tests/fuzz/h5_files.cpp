#include "h5_files.h"

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace horde::test {
namespace {

// Bytes of the description, one after the other; 0 beyond their end.
class Choices {
  public:
    explicit Choices(std::string_view bytes) : bytes_(bytes) {}
    std::uint8_t byte() { return at_ < bytes_.size() ? static_cast<std::uint8_t>(bytes_[at_++]) : 0; }
    std::uint64_t number(int bytes) {
        std::uint64_t value = 0;
        for (int i = 0; i < bytes; ++i) value = value << 8 | byte();
        return value;
    }
    bool any() const { return at_ < bytes_.size(); }

  private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

constexpr hsize_t kExtents[] = {0, 1, 2, 7, 20000, 1u << 31, hsize_t{1} << 40, hsize_t{1} << 60};

hid_t type_of(std::uint8_t choice, hid_t usual) {
    const hid_t types[] = {
        usual,           H5T_STD_I8LE,   H5T_STD_U16BE,   H5T_STD_I64LE, H5T_STD_U64LE,
        H5T_IEEE_F32BE,  H5T_IEEE_F64LE, H5T_STD_B8LE,    H5T_C_S1,      H5T_NATIVE_LDOUBLE,
        H5T_STD_REF_OBJ, H5T_STD_U8LE,   H5T_NATIVE_UINT, usual,         usual};
    return types[choice % std::size(types)];
}

void put_attribute(hid_t h5, const char* name, hid_t usual, Choices& choices, const void* value) {
    const std::uint8_t choice = choices.byte();
    if (choice == 1) return;
    const hsize_t two = 2;
    const hid_t space = choice == 2   ? H5Screate_simple(1, &two, nullptr)
                        : choice == 3 ? H5Screate(H5S_NULL)
                                      : H5Screate(H5S_SCALAR);
    const hid_t id =
        H5Acreate2(h5, name, type_of(choice < 16 ? 0 : choice, usual), space, H5P_DEFAULT, H5P_DEFAULT);
    if (id >= 0 && choice != 3 && choice < 16) {
        const std::vector<std::uint8_t> twice = [&] {
            std::vector<std::uint8_t> bytes(2 * H5Tget_size(usual));
            std::memcpy(bytes.data(), value, H5Tget_size(usual));
            return bytes;
        }();
        H5Awrite(id, usual, twice.data());
    }
    if (id >= 0) H5Aclose(id);
    H5Sclose(space);
}

struct Column {
    const char* group;
    const char* name;
    hid_t type;  ///< of `values` and, usually, of the file
    hsize_t rows;
    hsize_t width;  ///< 0: one axis
    std::vector<double> values;
};

void put_column(hid_t h5, const Column& column, Choices& choices) {
    const std::uint8_t choice = choices.byte();
    if (choice == 1) return;
    hsize_t extent[3] = {column.rows, std::max<hsize_t>(column.width, 1), 2};
    int rank = column.width == 0 ? 1 : 2;
    if (choice & 2) rank = choices.byte() % 4;
    if (choice & 4) extent[0] = kExtents[choices.byte() % std::size(kExtents)];
    if (choice & 8) extent[1] = kExtents[choices.byte() % std::size(kExtents)];
    const hid_t type = choice & 16 ? type_of(choices.byte(), column.type) : column.type;
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    const std::uint8_t layout = choices.byte() % 8;
    bool large_chunks = false;      // HDF5 would take memory for one whole chunk to write a value of it
    if (rank > 0 && layout != 1) {  // 1: contiguous
        hsize_t chunk[3] = {std::min<hsize_t>(16384, std::max<hsize_t>(extent[0], 1)),
                            std::min<hsize_t>(std::max<hsize_t>(extent[1], 1), 1u << 20), 2};
        if (layout == 2) chunk[0] = choices.number(4) % 0xffffffffu + 1;
        if (layout == 3) H5Pset_fletcher32(plan);
        hsize_t bytes = H5Tget_size(type);
        for (int axis = 0; axis < rank; ++axis) bytes *= chunk[axis];
        if (bytes < 0xffffffffu) H5Pset_chunk(plan, rank, chunk);
        large_chunks = bytes > 1 << 20;
        if (layout != 4) H5Pset_deflate(plan, 1);
    }
    hsize_t most[3] = {H5S_UNLIMITED, extent[1], extent[2]};
    const bool grows = H5Pget_layout(plan) == H5D_CHUNKED;
    const hid_t space =
        rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, extent, grows ? most : nullptr);
    const std::string path = std::string(column.group) + "/" + column.name;
    const hid_t id = H5Dcreate2(h5, path.c_str(), type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    const hssize_t count = id >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
    if (count > 0 && count <= 4096 && layout != 5 && !large_chunks) {  // 5: nothing is ever written
        std::vector<double> values = column.values;
        values.resize(static_cast<std::size_t>(count));
        if (choice & 32) {
            for (double& value : values) {
                const std::uint64_t bits = choices.number(8);
                std::memcpy(&value, &bits, sizeof value);
                if (!choices.any()) break;
            }
        }
        if (choice & 64) {
            for (double& value : values) value = static_cast<double>(choices.byte());
        }
        H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
    if (id >= 0) H5Dclose(id);
    if (space >= 0) H5Sclose(space);
    H5Pclose(plan);
}

}  // namespace

void write_described_h5(const std::string& path, std::string_view bytes) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    Choices choices(bytes);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    H5Pset_file_locking(access, false, true);
    const hid_t h5 = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    for (const char* group : {"frame", "agents"})
        H5Gclose(H5Gcreate2(h5, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));

    const std::uint8_t shape = choices.byte();
    const int dim = shape == 255 ? static_cast<int>(choices.number(4)) : 2 + shape % 2;
    const double fps =
        shape / 2 % 2 == 0 ? 20.0 : static_cast<double>(static_cast<std::int8_t>(choices.byte()));
    put_attribute(h5, "dim", H5T_NATIVE_INT, choices, &dim);
    put_attribute(h5, "fps", H5T_NATIVE_DOUBLE, choices, &fps);
    const hsize_t frames = 1 + shape / 4 % 4, rows = 3 * frames, width = dim == 3 ? 3 : 2;
    std::vector<double> starts, steps, ids, zeros(rows * width);
    for (hsize_t k = 0; k <= frames; ++k) starts.push_back(3.0 * static_cast<double>(k));
    for (hsize_t k = 0; k < frames; ++k) steps.push_back(static_cast<double>(k));
    for (hsize_t k = 0; k < rows; ++k) ids.push_back(static_cast<double>(k % 3));
    const Column columns[] = {{"frame", "start", H5T_STD_I64LE, frames + 1, 0, starts},
                              {"frame", "step", H5T_STD_I64LE, frames, 0, steps},
                              {"frame", "time", H5T_IEEE_F64LE, frames, 0, steps},
                              {"agents", "id", H5T_STD_U64LE, rows, 0, ids},
                              {"agents", "position", H5T_IEEE_F64LE, rows, width, zeros},
                              {"agents", "velocity", H5T_IEEE_F32LE, rows, width, zeros},
                              {"agents", "goal", H5T_STD_U16LE, rows, 0, zeros},
                              {"agents", "type", H5T_STD_U8LE, rows, 0, zeros},
                              {"agents", "state", H5T_STD_U8LE, rows, 0, zeros}};
    for (const Column& column : columns) put_column(h5, column, choices);
    H5Fclose(h5);
}

}  // namespace horde::test
