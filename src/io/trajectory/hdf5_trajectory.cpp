/// Trajectories as HDF5. docs/guide.md has the layout; change it together with kFormatVersion.
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "horde/error.h"
#include "horde/world.h"
#include "io/atomic_file.h"
#include "io/trajectory/hdf5_handle.h"
#include "io/trajectory/trajectory.h"

namespace horde {
namespace {

constexpr int kFormatVersion = 1;
constexpr hsize_t kChunkRows =
    16384;  // 256 kB of positions: large enough to pack well, small enough to pick from
constexpr hsize_t kMapChunk = 512;  // cells, of either side
constexpr unsigned kDeflate = 1;    // higher levels cost three times the time for a few per cent

/// One column of /agents or /frame: rows wait here until there is a chunk of them.
template <typename Value>
struct Column {
    Hdf5Handle dataset;
    std::vector<Value> waiting;
    hsize_t width = 1;
    hsize_t rows = 0;  ///< in the file
};

/// No limit to the size of files but the hard one, for as long as it lives: memory counts as a file.
class FileSizeLimitLifted {
  public:
    FileSizeLimitLifted() {
        known_ = ::getrlimit(RLIMIT_FSIZE, &before_) == 0;
        const rlimit lifted{before_.rlim_max, before_.rlim_max};
        if (known_) ::setrlimit(RLIMIT_FSIZE, &lifted);
    }
    ~FileSizeLimitLifted() {
        if (known_) ::setrlimit(RLIMIT_FSIZE, &before_);
    }
    FileSizeLimitLifted(const FileSizeLimitLifted&) = delete;
    FileSizeLimitLifted& operator=(const FileSizeLimitLifted&) = delete;

  private:
    rlimit before_{};
    bool known_ = false;
};

class Hdf5Trajectory : public TrajectoryWriter {
  public:
    Hdf5Trajectory(const std::string& path, int dim) : dim_(dim), file_(path) {}

    /// Apart from the constructor, so that the destructor cleans up if it throws.
    void open(const TrajectoryInfo& info) {
        file_.try_out();
        errno = 0;
        const Hdf5Silence silence;
        const Hdf5Handle access = hdf5_file_access();
        // Since 1.10 all of a file's own structure has checksums. Without them HDF5 follows damaged bytes
        // wherever they lead, out of its memory too.
        check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0);
        h5_ = Hdf5Handle(H5Fcreate(file_.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
        check(h5_.valid());
        write_attributes(info);
        frames_ = Hdf5Handle(H5Gcreate2(h5_.get(), "frame", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        agents_ = Hdf5Handle(H5Gcreate2(h5_.get(), "agents", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        check(frames_.valid() && agents_.valid());
        open_column(step_, frames_, "step", H5T_STD_I64LE, 1);
        open_column(time_, frames_, "time", H5T_IEEE_F64LE, 1);
        open_column(start_, frames_, "start", H5T_STD_I64LE, 1);
        start_.waiting.push_back(0);
        const hsize_t dim = static_cast<hsize_t>(dim_);
        open_column(id_, agents_, "id", H5T_STD_U64LE, 1);
        open_column(position_, agents_, "position", H5T_IEEE_F64LE, dim);
        open_column(velocity_, agents_, "velocity", H5T_IEEE_F32LE, dim);
        open_column(goal_, agents_, "goal", H5T_STD_U16LE, 1);
        open_column(type_, agents_, "type", H5T_STD_U8LE, 1);
        open_column(state_, agents_, "state", H5T_STD_U8LE, 1);
        if (info.map != nullptr && !info.map->cost.empty()) write_map(*info.map);
    }

    ~Hdf5Trajectory() override {
        const Hdf5Silence silence;
        if (closed_) return;
        const FileSizeLimitLifted lifted;
        divert();
        close_handles();
    }

    void write(const Snapshot& snapshot) override {
        check_snapshot(file_.path(), dim_, snapshot, closed_);
        step_.waiting.push_back(snapshot.frame);
        time_.waiting.push_back(snapshot.time);
        rows_ += snapshot.count();
        start_.waiting.push_back(rows_);
        for (std::size_t i = 0; i < snapshot.count(); ++i) {
            id_.waiting.push_back(snapshot.id[i]);
            const Vec3& position = snapshot.position[i];
            position_.waiting.push_back(position.x);
            position_.waiting.push_back(position.y);
            const Vec3& velocity = snapshot.velocity[i];
            velocity_.waiting.push_back(static_cast<float>(velocity.x));
            velocity_.waiting.push_back(static_cast<float>(velocity.y));
            if (dim_ == 3) position_.waiting.push_back(position.z);
            if (dim_ == 3) velocity_.waiting.push_back(static_cast<float>(velocity.z));
            goal_.waiting.push_back(snapshot.goal[i]);
            type_.waiting.push_back(snapshot.type[i]);
            state_.waiting.push_back(static_cast<std::uint8_t>(snapshot.state[i]));
        }
        const Hdf5Silence silence;
        for_each_column([this](auto& column, hid_t type) { append(column, type, false); });
    }

    void close() override {
        if (closed_) return;
        const Hdf5Silence silence;
        for_each_column([this](auto& column, hid_t type) { append(column, type, true); });
        check(H5Fflush(h5_.get(), H5F_SCOPE_LOCAL) >= 0);  // fails while there is still a way back
        check(close_handles());
        file_.commit();
        closed_ = true;
    }

  private:
    void check(bool done) const {
        if (!done) file_.fail(errno != 0 ? errno : EIO);
    }

    /// Sends all further writes into memory, which goes with the file. HDF5 1.10 cannot let go of a file that
    /// it fails to flush: it keeps it half closed and crashes when the program ends. What is left to flush is
    /// little, and /dev/null would not do, since the file is cut to its length too.
    void divert() {
        void* descriptor = nullptr;
        if (!h5_.valid() || H5Fget_vfd_handle(h5_.get(), H5P_DEFAULT, &descriptor) < 0) return;
        const int nowhere = ::memfd_create("discarded", MFD_CLOEXEC);
        if (nowhere < 0) return;
        ::dup2(nowhere, *static_cast<int*>(descriptor));
        ::close(nowhere);
    }

    template <typename Function>
    void for_each_column(Function&& function) {
        function(step_, H5T_NATIVE_UINT64);
        function(time_, H5T_NATIVE_DOUBLE);
        function(start_, H5T_NATIVE_UINT64);
        function(id_, H5T_NATIVE_UINT64);
        function(position_, H5T_NATIVE_DOUBLE);
        function(velocity_, H5T_NATIVE_FLOAT);
        function(goal_, H5T_NATIVE_UINT16);
        function(type_, H5T_NATIVE_UINT8);
        function(state_, H5T_NATIVE_UINT8);
    }

    template <typename Value>
    void open_column(Column<Value>& column, const Hdf5Handle& group, const char* name, hid_t type,
                     hsize_t width) {
        column.width = width;
        const int rank = width == 1 ? 1 : 2;
        const hsize_t none[2] = {0, width};
        const hsize_t most[2] = {H5S_UNLIMITED, width};
        const hsize_t chunk[2] = {kChunkRows, width};
        const Hdf5Handle space(H5Screate_simple(rank, none, most));
        column.dataset = create_packed(group.get(), name, type, space, rank, chunk);
    }

    Hdf5Handle create_packed(hid_t where, const char* name, hid_t type, const Hdf5Handle& space, int rank,
                             const hsize_t* chunk) const {
        const Hdf5Handle plan(H5Pcreate(H5P_DATASET_CREATE));
        check(plan.valid() && H5Pset_chunk(plan.get(), rank, chunk) >= 0 && H5Pset_shuffle(plan.get()) >= 0 &&
              H5Pset_deflate(plan.get(), kDeflate) >= 0);
        Hdf5Handle dataset(H5Dcreate2(where, name, type, space.get(), H5P_DEFAULT, plan.get(), H5P_DEFAULT));
        check(dataset.valid());
        return dataset;
    }

    /// Writes the waiting rows in whole chunks; the rest too if it is the end.
    template <typename Value>
    void append(Column<Value>& column, hid_t type, bool all) {
        const hsize_t waiting = column.waiting.size() / column.width;
        const hsize_t rows = all ? waiting : waiting / kChunkRows * kChunkRows;
        if (rows == 0) return;
        errno = 0;
        const int rank = column.width == 1 ? 1 : 2;
        const hsize_t extent[2] = {column.rows + rows, column.width};
        check(H5Dset_extent(column.dataset.get(), extent) >= 0);
        const Hdf5Handle space(H5Dget_space(column.dataset.get()));
        const hsize_t from[2] = {column.rows, 0};
        const hsize_t count[2] = {rows, column.width};
        check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, from, nullptr, count, nullptr) >= 0);
        const Hdf5Handle memory(H5Screate_simple(rank, count, nullptr));
        check(H5Dwrite(column.dataset.get(), type, memory.get(), space.get(), H5P_DEFAULT,
                       column.waiting.data()) >= 0);
        column.rows += rows;
        const auto done = column.waiting.begin() + static_cast<std::ptrdiff_t>(rows * column.width);
        column.waiting.erase(column.waiting.begin(), done);
    }

    void write_number(hid_t where, const char* name, hid_t file_type, hid_t type, const void* value) const {
        const Hdf5Handle space(H5Screate(H5S_SCALAR));
        const Hdf5Handle attribute(H5Acreate2(where, name, file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT));
        check(attribute.valid() && H5Awrite(attribute.get(), type, value) >= 0);
    }

    void write_text(const char* name, const std::string& text) const {
        const Hdf5Handle type(H5Tcopy(H5T_C_S1));
        check(H5Tset_size(type.get(), H5T_VARIABLE) >= 0 && H5Tset_cset(type.get(), H5T_CSET_UTF8) >= 0);
        const char* characters = text.c_str();
        write_number(h5_.get(), name, type.get(), type.get(), &characters);
    }

    void write_attributes(const TrajectoryInfo& info) const {
        write_text("format", "horde-trajectory");
        write_number(h5_.get(), "format_version", H5T_STD_I32LE, H5T_NATIVE_INT, &kFormatVersion);
        write_text("horde_version", version());
        write_number(h5_.get(), "dim", H5T_STD_I32LE, H5T_NATIVE_INT, &info.dim);
        write_number(h5_.get(), "fps", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &info.fps);
        write_number(h5_.get(), "dt", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &info.dt);
        write_number(h5_.get(), "seed", H5T_STD_U64LE, H5T_NATIVE_UINT64, &info.seed);
        write_text("scene", info.scene);
        write_text("unit", "m");
    }

    void write_map(const Map& map) const {
        const Hdf5Handle group(H5Gcreate2(h5_.get(), "map", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        check(group.valid());
        const hsize_t extent[2] = {static_cast<hsize_t>(map.rows), static_cast<hsize_t>(map.columns)};
        const hsize_t chunk[2] = {std::min(extent[0], kMapChunk), std::min(extent[1], kMapChunk)};
        const Hdf5Handle space(H5Screate_simple(2, extent, nullptr));
        const Hdf5Handle cost = create_packed(group.get(), "cost", H5T_STD_U8LE, space, 2, chunk);
        write_number(cost.get(), "cell_size", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &map.cell_size);
        check(H5Dwrite(cost.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, map.cost.data()) >= 0);
    }

    bool close_handles() {
        errno = 0;
        bool good = true;
        for_each_column([&good](auto& column, hid_t) { good = column.dataset.close() && good; });
        good = frames_.close() && good;
        good = agents_.close() && good;
        return h5_.close() && good;
    }

    int dim_;
    bool closed_ = false;
    std::uint64_t rows_ = 0;
    AtomicFile file_;
    Hdf5Handle h5_;
    Hdf5Handle frames_;
    Hdf5Handle agents_;
    Column<std::uint64_t> step_;
    Column<double> time_;
    Column<std::uint64_t> start_;
    Column<std::uint64_t> id_;
    Column<double> position_;
    Column<float> velocity_;
    Column<std::uint16_t> goal_;
    Column<std::uint8_t> type_;
    Column<std::uint8_t> state_;
};

}  // namespace

std::unique_ptr<TrajectoryWriter> open_hdf5_trajectory(const std::string& path, const TrajectoryInfo& info) {
    auto writer = std::make_unique<Hdf5Trajectory>(path, info.dim);
    writer->open(info);
    return writer;
}

}  // namespace horde
