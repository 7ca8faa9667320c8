/// HDF5 ids that close themselves, and silence for its error stack.
#pragma once

#include <hdf5.h>

#include <cstdlib>
#include <utility>

namespace horde {

/// While one lives, HDF5 prints no error stack in this thread; the caller's way of reporting returns
/// afterwards.
class Hdf5Silence {
  public:
    Hdf5Silence() {
        H5Eget_auto2(H5E_DEFAULT, &report_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    ~Hdf5Silence() { H5Eset_auto2(H5E_DEFAULT, report_, data_); }
    Hdf5Silence(const Hdf5Silence&) = delete;
    Hdf5Silence& operator=(const Hdf5Silence&) = delete;

  private:
    H5E_auto2_t report_ = nullptr;
    void* data_ = nullptr;
};

/// After a damaged file was refused HDF5 may hold on to what it had opened of it, and say so on stderr when
/// the program ends. Ends of programs run backwards: this one comes before HDF5's, which is there by then.
inline void silence_hdf5_at_exit() {
    static const int registered = std::atexit([] { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); });
    static_cast<void>(registered);
}

/// Owns any HDF5 id. Below 0 there is none: the call that should have made it failed.
class Hdf5Handle {
  public:
    Hdf5Handle() = default;
    explicit Hdf5Handle(hid_t id) : id_(id) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
        if (this != &other) {
            close();
            id_ = std::exchange(other.id_, H5I_INVALID_HID);
        }
        return *this;
    }
    ~Hdf5Handle() { close(); }

    hid_t get() const { return id_; }
    bool valid() const { return id_ >= 0; }
    /// True if what it stood for is closed in good order.
    bool close() {
        const hid_t id = std::exchange(id_, H5I_INVALID_HID);
        if (id < 0) return true;
        switch (H5Iget_type(id)) {
            case H5I_FILE:
                return H5Fclose(id) >= 0;
            case H5I_GROUP:
                return H5Gclose(id) >= 0;
            case H5I_DATASET:
                return H5Dclose(id) >= 0;
            case H5I_DATASPACE:
                return H5Sclose(id) >= 0;
            case H5I_DATATYPE:
                return H5Tclose(id) >= 0;
            case H5I_ATTR:
                return H5Aclose(id) >= 0;
            case H5I_GENPROP_LST:
                return H5Pclose(id) >= 0;
            default:
                return H5Idec_ref(id) >= 0;
        }
    }

  private:
    hid_t id_ = H5I_INVALID_HID;
};

/// File access without locks: our files are written under a name of their own, and locks fail on network
/// disks.
inline Hdf5Handle hdf5_file_access() {
    Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
    H5Pset_file_locking(access.get(), false, true);
    return access;
}

}  // namespace horde
