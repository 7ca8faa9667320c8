/// Trajectories as text: .csv, and .txt as PedPy and JuPedSim read it.
#include "io/atomic_file.h"
#include "io/trajectory/put_number.h"
#include "io/trajectory/trajectory.h"

namespace horde {
namespace {

constexpr std::size_t kRowBytes = 512;  // eight numbers of at most 24 characters, and what is between

char* put(char* at, const Vec3& vector, int dim, char between) {
    at = put_number(at, vector.x);
    *at++ = between;
    at = put_number(at, vector.y);
    if (dim == 2) return at;
    *at++ = between;
    return put_number(at, vector.z);
}

/// Frame is the number of the simulated frame.
class CsvTrajectory : public TrajectoryWriter {
  public:
    CsvTrajectory(const std::string& path, const TrajectoryInfo& info) : dim_(info.dim), sink_(path) {
        sink_.append(dim_ == 2 ? "frame,id,x,y,vx,vy\n" : "frame,id,x,y,z,vx,vy,vz\n");
    }

    void write(const Snapshot& snapshot) override {
        check_snapshot(sink_.file().path(), dim_, snapshot, closed_);
        for (std::size_t i = 0; i < snapshot.count(); ++i) {
            char* at = put_number(sink_.room(kRowBytes), snapshot.frame);
            *at++ = ',';
            at = put_number(at, snapshot.id[i]);
            *at++ = ',';
            at = put(at, snapshot.position[i], dim_, ',');
            *at++ = ',';
            at = put(at, snapshot.velocity[i], dim_, ',');
            *at++ = '\n';
            sink_.advance(at);
        }
    }

    void close() override {
        if (!closed_) sink_.commit();
        closed_ = true;
    }

  private:
    int dim_;
    bool closed_ = false;
    ByteSink sink_;
};

/// Frame is the number of the written frame, so that it goes with the frame rate of the header.
class TextTrajectory : public TrajectoryWriter {
  public:
    TextTrajectory(const std::string& path, const TrajectoryInfo& info) : dim_(info.dim), sink_(path) {
        sink_.append("# framerate: " + rate_text(info.fps) + "\n");
        sink_.append(dim_ == 2 ? "# id\tframe\tx/m\ty/m\n" : "# id\tframe\tx/m\ty/m\tz/m\n");
    }

    void write(const Snapshot& snapshot) override {
        check_snapshot(sink_.file().path(), dim_, snapshot, closed_);
        for (std::size_t i = 0; i < snapshot.count(); ++i) {
            char* at = put_number(sink_.room(kRowBytes), snapshot.id[i]);
            *at++ = '\t';
            at = put_number(at, frames_);
            *at++ = '\t';
            at = put(at, snapshot.position[i], dim_, '\t');
            *at++ = '\n';
            sink_.advance(at);
        }
        ++frames_;
    }

    void close() override {
        if (!closed_) sink_.commit();
        closed_ = true;
    }

  private:
    /// "20.00", "13.333333333333334": two places as others write it, more where the number needs them.
    static std::string rate_text(double fps) {
        char digits[32];
        std::string text(digits, put_number(digits, fps));
        if (text.find('e') != std::string::npos) return text;
        std::size_t dot = text.find('.');
        if (dot == std::string::npos) {
            dot = text.size();
            text += '.';
        }
        while (text.size() < dot + 3) text += '0';
        return text;
    }

    int dim_;
    bool closed_ = false;
    std::uint64_t frames_ = 0;
    ByteSink sink_;
};

}  // namespace

std::unique_ptr<TrajectoryWriter> open_csv_trajectory(const std::string& path, const TrajectoryInfo& info) {
    return std::make_unique<CsvTrajectory>(path, info);
}

std::unique_ptr<TrajectoryWriter> open_text_trajectory(const std::string& path, const TrajectoryInfo& info) {
    return std::make_unique<TextTrajectory>(path, info);
}

}  // namespace horde
