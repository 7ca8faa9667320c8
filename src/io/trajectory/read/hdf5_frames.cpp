/// Frames of our own HDF5 files.
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "horde/error.h"
#include "io/trajectory/hdf5_handle.h"
#include "io/trajectory/read/reader.h"

namespace horde {
namespace {

constexpr hsize_t kMostChunkBytes = 64 << 20;  // ours have at most a third of a megabyte
constexpr std::size_t kMostValueBytes = 16;

class Hdf5Frames : public TrajectoryReader {
  public:
    explicit Hdf5Frames(const std::string& path) : path_(path), rows_(path) {}

    /// Apart from the constructor, so that handles close in good order if it throws.
    void open(const ReadOptions& options) {
        const Hdf5Silence silence;
        if (::access(path_.c_str(), R_OK) != 0) fail(std::string(std::strerror(errno)) + "; check the path");
        const Hdf5Handle access = hdf5_file_access();
        h5_ = Hdf5Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.get()));
        if (!h5_.valid()) fail("it is cut off or no HDF5 file; write it again");
        if (!read_attribute("dim", H5T_INTEGER, H5T_NATIVE_INT, &dim_) || (dim_ != 2 && dim_ != 3)) {
            fail("the attribute dim is not 2 or 3; give a trajectory that horde has written");
        }
        RowFacts says;
        says.dim = dim_;
        says.has_velocities = true;
        says.unit = 1.0;  // the format has no other
        double fps = 0.0;
        if (read_attribute("fps", H5T_FLOAT, H5T_NATIVE_DOUBLE, &fps) && fps > 0.0) says.fps = fps;
        facts_ = resolve_facts(path_, says, options);
        open_columns();
    }

    const TrajectoryFacts& facts() const override { return facts_; }

    bool next(TrajectoryFrame& out) override {
        if (frame_ + 1 >= frames_end_) return false;
        const Hdf5Silence silence;
        std::uint64_t bounds[2] = {};
        std::uint64_t step = 0;
        double time = 0.0;
        read_rows(start_, H5T_NATIVE_UINT64, frame_, 2, 1, bounds, "/frame/start");
        read_rows(step_, H5T_NATIVE_UINT64, frame_, 1, 1, &step, "/frame/step");
        read_rows(time_, H5T_NATIVE_DOUBLE, frame_, 1, 1, &time, "/frame/time");
        if (bounds[0] > bounds[1] || bounds[1] > rows_in_file_) {
            fail("/frame/start and /agents do not fit together; write the file again");
        }
        read_agents(bounds[0], bounds[1] - bounds[0],
                    frame_ == 0 ? "the first frame" : "frame " + std::to_string(step), out.snapshot);
        out.snapshot.frame = step;
        out.snapshot.time = time;
        out.velocity_known.clear();
        apply_facts(facts_, out.snapshot);
        ++frame_;
        return true;
    }

  private:
    [[noreturn]] void fail(const std::string& text) const {
        silence_hdf5_at_exit();
        throw Error("cannot read " + path_ + ": " + text);
    }

    bool read_attribute(const char* name, H5T_class_t kind, hid_t type, void* value) const {
        const Hdf5Handle attribute(H5Aopen(h5_.get(), name, H5P_DEFAULT));
        if (!attribute.valid()) return false;
        const Hdf5Handle space(H5Aget_space(attribute.get()));
        const Hdf5Handle in_file(H5Aget_type(attribute.get()));
        return H5Sget_simple_extent_npoints(space.get()) == 1 && H5Tget_class(in_file.get()) == kind &&
               H5Aread(attribute.get(), type, value) >= 0;
    }

    void open_columns() {
        start_ = open_column("/frame/start", 1, 0);
        step_ = open_column("/frame/step", 1, 0);
        time_ = open_column("/frame/time", 1, 0);
        const std::size_t width = static_cast<std::size_t>(dim_);
        id_ = open_column("/agents/id", 1, 0);
        position_ = open_column("/agents/position", 2, width);
        velocity_ = open_column("/agents/velocity", 2, width);
        goal_ = open_column("/agents/goal", 1, 0);
        type_ = open_column("/agents/type", 1, 0);
        state_ = open_column("/agents/state", 1, 0);
        frames_end_ = rows_of(start_);
        rows_in_file_ = rows_of(id_);
        bool fits =
            frames_end_ >= 1 && rows_of(step_) + 1 == frames_end_ && rows_of(time_) + 1 == frames_end_;
        for (const Hdf5Handle* column : {&position_, &velocity_, &goal_, &type_, &state_}) {
            fits = fits && rows_of(*column) == rows_in_file_;
        }
        if (!fits) fail("/frame and /agents do not fit together; write the file again");
        // Deflate packs at most 1032 to 1: a file that claims more rows than it can hold is not worth the
        // memory.
        if (rows_in_file_ > 1024 + H5Dget_storage_size(id_.get()) / 8 * 1032) {
            fail("/agents/id claims more rows than the file can hold; write the file again");
        }
    }

    /// A dataset of numbers with `rank` axes, the second `width` long.
    Hdf5Handle open_column(const char* name, int rank, hsize_t width) const {
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
        check_storage(dataset, H5Tget_size(type.get()), name);
        return dataset;
    }

    /// HDF5 takes memory for whole chunks, whatever they hold, and follows a dataset into other files.
    void check_storage(const Hdf5Handle& dataset, std::size_t value_bytes, const char* name) const {
        const Hdf5Handle plan(H5Dget_create_plist(dataset.get()));
        const H5D_layout_t layout = H5Pget_layout(plan.get());
        if (value_bytes > kMostValueBytes ||
            (layout != H5D_CHUNKED && layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) ||
            (layout == H5D_CONTIGUOUS && H5Pget_external_count(plan.get()) != 0)) {
            fail(std::string(name) + " is kept in another way than horde does it; write the file again");
        }
        if (layout != H5D_CHUNKED) return;
        hsize_t chunk[2] = {1, 1};
        const int rank = H5Pget_chunk(plan.get(), 2, chunk);
        if (rank < 1 || rank > 2 || chunk[0] > kMostChunkBytes || chunk[1] > kMostChunkBytes ||
            chunk[0] * chunk[1] > kMostChunkBytes / value_bytes) {
            fail(std::string(name) + " has chunks of more than 64 MB; write the file again");
        }
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

    void read_agents(std::uint64_t first, std::uint64_t rows, const std::string& where, Snapshot& out) {
        const std::size_t width = static_cast<std::size_t>(dim_);
        ids_.resize(rows);
        positions_.resize(rows * width);
        velocities_.resize(rows * width);
        read_rows(id_, H5T_NATIVE_UINT64, first, rows, 1, ids_.data(), "/agents/id");
        read_rows(position_, H5T_NATIVE_DOUBLE, first, rows, width, positions_.data(), "/agents/position");
        read_rows(velocity_, H5T_NATIVE_DOUBLE, first, rows, width, velocities_.data(), "/agents/velocity");
        const bool deep = dim_ == 3;
        bool in_order = true;  // as horde writes them
        for (std::size_t i = 0; i < rows; ++i) {
            const double* p = &positions_[i * width];
            const double* v = &velocities_[i * width];
            rows_.add(
                {0, ids_[i], {p[0], p[1], deep ? p[2] : 0.0}, {v[0], v[1], deep ? v[2] : 0.0}, first + i});
            in_order = in_order && (i == 0 || ids_[i] >= ids_[i - 1]);
        }
        rows_.finish(dim_, where, out);
        if (!in_order) fail("the ids of " + where + " do not ascend; write the file again");
        states_.resize(rows);
        read_rows(goal_, H5T_NATIVE_UINT16, first, rows, 1, out.goal.data(), "/agents/goal");
        read_rows(type_, H5T_NATIVE_UINT8, first, rows, 1, out.type.data(), "/agents/type");
        read_rows(state_, H5T_NATIVE_UINT8, first, rows, 1, states_.data(), "/agents/state");
        for (std::size_t i = 0; i < rows; ++i) {
            if (states_[i] > static_cast<std::uint8_t>(AgentState::kStranded)) {
                fail("agent " + std::to_string(ids_[i]) + " has the state " + std::to_string(states_[i]) +
                     ", which there is not; write the file again");
            }
            out.state[i] = static_cast<AgentState>(states_[i]);
        }
    }

    std::string path_;
    int dim_ = 0;
    TrajectoryFacts facts_;
    FrameRows rows_;
    Hdf5Handle h5_;
    Hdf5Handle start_, step_, time_;
    Hdf5Handle id_, position_, velocity_, goal_, type_, state_;
    hsize_t frame_ = 0;       ///< to read next
    hsize_t frames_end_ = 0;  ///< rows of /frame/start: one more than there are frames
    hsize_t rows_in_file_ = 0;
    std::vector<std::uint64_t> ids_;
    std::vector<double> positions_;
    std::vector<double> velocities_;
    std::vector<std::uint8_t> states_;
};

}  // namespace

std::unique_ptr<TrajectoryReader> open_hdf5_frames(const std::string& path, const ReadOptions& options) {
    auto frames = std::make_unique<Hdf5Frames>(path);
    frames->open(options);
    return frames;
}

}  // namespace horde
