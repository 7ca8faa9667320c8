/// Starts from our own HDF5 files.
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "horde/error.h"
#include "io/trajectory/hdf5_handle.h"
#include "io/trajectory/start_rows.h"

namespace horde {
namespace {

class Hdf5Start {
  public:
    explicit Hdf5Start(const std::string& path) : path_(path) {
        if (::access(path.c_str(), R_OK) != 0) fail(std::string(std::strerror(errno)) + "; check the path");
        const Hdf5Handle access = hdf5_file_access();
        h5_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()));
        if (!h5_.valid()) fail("it is cut off or no HDF5 file; write it again");
    }

    Snapshot read() {
        int dim = 0;
        const Hdf5Handle attribute(H5Aopen(h5_.get(), "dim", H5P_DEFAULT));
        if (!attribute.valid() || !is_one_number(attribute) ||
            H5Aread(attribute.get(), H5T_NATIVE_INT, &dim) < 0 || (dim != 2 && dim != 3)) {
            fail("the attribute dim is not 2 or 3; give a trajectory that horde has written");
        }
        const Hdf5Handle start = open("/frame/start", 1, 0);
        if (rows_of(start) < 2) fail("it has no frame; write at least one");
        std::vector<std::uint64_t> bounds(2);
        read_rows(start, H5T_NATIVE_UINT64, 0, 2, 1, bounds.data(), "/frame/start");

        const std::size_t width = static_cast<std::size_t>(dim);
        const Hdf5Handle id = open("/agents/id", 1, 0);
        const Hdf5Handle position = open("/agents/position", 2, width);
        const Hdf5Handle velocity = open("/agents/velocity", 2, width);
        const std::uint64_t rows = bounds[1] - bounds[0];
        if (bounds[0] > bounds[1] || bounds[1] > rows_of(id) || rows_of(position) != rows_of(id) ||
            rows_of(velocity) != rows_of(id)) {
            fail("/frame/start and /agents do not fit together; write the file again");
        }
        // Deflate packs at most 1032 to 1: a file that claims more rows than it can hold is not worth the
        // memory.
        if (rows > 1024 + H5Dget_storage_size(id.get()) / 8 * 1032) {
            fail("/agents/id claims more rows than the file can hold; write the file again");
        }
        std::vector<std::uint64_t> ids(rows);
        std::vector<double> positions(rows * width);
        std::vector<double> velocities(rows * width);
        read_rows(id, H5T_NATIVE_UINT64, bounds[0], rows, 1, ids.data(), "/agents/id");
        read_rows(position, H5T_NATIVE_DOUBLE, bounds[0], rows, width, positions.data(), "/agents/position");
        read_rows(velocity, H5T_NATIVE_DOUBLE, bounds[0], rows, width, velocities.data(), "/agents/velocity");

        StartRows out(path_);
        for (std::size_t i = 0; i < rows; ++i) {
            const double* p = &positions[i * width];
            const double* v = &velocities[i * width];
            const bool deep = dim == 3;
            out.add(ids[i], {p[0], p[1], deep ? p[2] : 0.0}, {v[0], v[1], deep ? v[2] : 0.0}, bounds[0] + i);
        }
        return out.finish(dim);
    }

  private:
    [[noreturn]] void fail(const std::string& text) const {
        throw Error("cannot read " + path_ + ": " + text);
    }

    static bool is_one_number(const Hdf5Handle& attribute) {
        const Hdf5Handle space(H5Aget_space(attribute.get()));
        const Hdf5Handle type(H5Aget_type(attribute.get()));
        return H5Sget_simple_extent_npoints(space.get()) == 1 && H5Tget_class(type.get()) == H5T_INTEGER;
    }

    /// A dataset of numbers with `rank` axes, the second `width` long.
    Hdf5Handle open(const char* name, int rank, hsize_t width) const {
        Hdf5Handle dataset(H5Dopen2(h5_.get(), name, H5P_DEFAULT));
        if (!dataset.valid())
            fail(std::string(name) + " is missing; give a trajectory that horde has written");
        const Hdf5Handle space(H5Dget_space(dataset.get()));
        const Hdf5Handle type(H5Dget_type(dataset.get()));
        const H5T_class_t kind = H5Tget_class(type.get());
        hsize_t extent[2] = {0, 0};
        if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || H5Sget_simple_extent_ndims(space.get()) != rank ||
            H5Sget_simple_extent_dims(space.get(), extent, nullptr) < 0 ||
            (rank == 2 && extent[1] != width)) {
            fail(std::string(name) + " has another shape or type than horde writes; write the file again");
        }
        return dataset;
    }

    static hsize_t rows_of(const Hdf5Handle& dataset) {
        const Hdf5Handle space(H5Dget_space(dataset.get()));
        hsize_t extent[2] = {0, 0};
        H5Sget_simple_extent_dims(space.get(), extent, nullptr);
        return extent[0];
    }

    void read_rows(const Hdf5Handle& dataset, hid_t type, hsize_t first, hsize_t rows, hsize_t width,
                   void* out, const char* name) const {
        if (rows == 0) return;
        const int rank = width == 1 ? 1 : 2;
        const hsize_t from[2] = {first, 0};
        const hsize_t count[2] = {rows, width};
        const Hdf5Handle space(H5Dget_space(dataset.get()));
        const Hdf5Handle memory(H5Screate_simple(rank, count, nullptr));
        if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, from, nullptr, count, nullptr) < 0 ||
            H5Dread(dataset.get(), type, memory.get(), space.get(), H5P_DEFAULT, out) < 0) {
            fail(std::string(name) + " cannot be read; the file is damaged, write it again");
        }
    }

    std::string path_;
    Hdf5Handle h5_;
};

}  // namespace

Snapshot load_hdf5_start(const std::string& path) {
    const Hdf5Silence silence;
    return Hdf5Start(path).read();
}

}  // namespace horde
