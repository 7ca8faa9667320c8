/// The program horde as a child of a test.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../places.h"

namespace horde {

struct Finished {
    int code = -1;  ///< exit code; 128 + the signal that ended it
    std::string out;
    std::string err;
};

/// A running `horde`, with both of its outputs in pipes.
class Program {
  public:
    explicit Program(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), horde::test::kProgram);
        std::vector<char*> argv;
        for (std::string& argument : arguments) argv.push_back(argument.data());
        argv.push_back(nullptr);
        std::array<int, 2> out{};
        std::array<int, 2> err{};
        if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) std::abort();
        child_ = fork();
        if (child_ == 0) {
            dup2(out[1], STDOUT_FILENO);
            dup2(err[1], STDERR_FILENO);
            execv(argv[0], argv.data());
            _exit(127);
        }
        close(out[1]);
        close(err[1]);
        pipes_ = {out[0], err[0]};
    }

    void interrupt() const { kill(child_, SIGINT); }
    void kill_at_once() const { kill(child_, SIGKILL); }

    /// Reads to the end of both outputs and waits.
    Finished wait() {
        Finished result;
        const std::array<std::string*, 2> texts = {&result.out, &result.err};
        std::array<pollfd, 2> polled = {pollfd{pipes_[0], POLLIN, 0}, pollfd{pipes_[1], POLLIN, 0}};
        for (int open = 2; open > 0;) {
            poll(polled.data(), polled.size(), -1);
            for (std::size_t i = 0; i < polled.size(); ++i) {
                if (polled[i].fd < 0 || polled[i].revents == 0) continue;
                std::array<char, 65536> buffer;
                const ssize_t count = read(polled[i].fd, buffer.data(), buffer.size());
                if (count > 0) {
                    texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
                    continue;
                }
                close(polled[i].fd);
                polled[i].fd = -1;
                --open;
            }
        }
        int status = 0;
        waitpid(child_, &status, 0);
        result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return result;
    }

  private:
    pid_t child_ = -1;
    std::array<int, 2> pipes_{};
};

inline Finished horde_program(std::vector<std::string> arguments) {
    return Program(std::move(arguments)).wait();
}

/// Runs with --json; the one object on stdout. A test that gets null here has failed already.
inline nlohmann::json json_of(std::vector<std::string> arguments, int code = 0) {
    arguments.emplace_back("--json");
    const Finished result = horde_program(std::move(arguments));
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_EQ(result.err, "");
    nlohmann::json object = nlohmann::json::parse(result.out, nullptr, false);
    EXPECT_TRUE(object.is_object()) << result.out;
    return object.is_object() ? object : nlohmann::json();
}

/// An empty folder for one test, gone after it.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::path(testing::TempDir()) / "horde_XXXXXX").string();
        if (!mkdtemp(name.data())) std::abort();
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string operator/(const std::string& name) const { return (path_ / name).string(); }

    /// Writes a file; its path.
    std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return *this / name;
    }

    /// Names of what lies in it, ascending.
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(path_)) {
            names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }

  private:
    std::filesystem::path path_;
};

inline std::string text_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Bad input: exit code 2, one line on stderr that names `part`, nothing on stdout.
inline void expect_refused(std::vector<std::string> arguments, const std::string& part) {
    std::string command = "horde";
    for (const std::string& argument : arguments) command += " " + argument;
    const Finished result = horde_program(std::move(arguments));
    EXPECT_EQ(result.code, 2) << command;
    EXPECT_EQ(result.out, "") << command;
    EXPECT_TRUE(result.err.starts_with("horde: ")) << command << ": " << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << command << ": " << result.err;
    EXPECT_TRUE(result.err.ends_with("\n")) << command << ": " << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << command << ": " << result.err << "lacks: " << part;
}

inline const std::string kPlaza = std::string(horde::test::kSourceDir) + "/scenes/plaza.toml";

}  // namespace horde
