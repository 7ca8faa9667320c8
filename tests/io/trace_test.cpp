#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "horde/error.h"
#include "horde/files.h"

namespace horde {
namespace {

TEST(TraceFile, IsTheTraceEventFormat) {
    const std::string path = testing::TempDir() + "horde_trace.json";
    const std::vector<TraceSlice> slices = {{"step", -1, 0, 7, 1.5, 10.25}, {"steer", 3, 1, 7, 2.0, 4.0}};
    write_trace(path, slices);
    const auto json = nlohmann::json::parse(std::ifstream(path));
    std::vector<nlohmann::json> events;
    int tracks = 0;
    for (const auto& event : json.at("traceEvents")) {
        if (event.at("ph") == "X") events.push_back(event);
        if (event.at("name") == "thread_name") ++tracks;
    }
    EXPECT_EQ(tracks, 2);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].at("name"), "step");
    EXPECT_EQ(events[0].at("ts"), 1.5);
    EXPECT_EQ(events[0].at("dur"), 8.75);
    EXPECT_EQ(events[0].at("args").at("frame"), 7);
    EXPECT_FALSE(events[0].at("args").contains("block"));
    EXPECT_EQ(events[1].at("tid"), 1);
    EXPECT_EQ(events[1].at("args").at("block"), 3);
    std::filesystem::remove(path);
}

TEST(TraceFile, OfNothingIsStillWhole) {
    const std::string path = testing::TempDir() + "horde_trace_empty.json";
    write_trace(path, {}, 12);
    const auto json = nlohmann::json::parse(std::ifstream(path));
    EXPECT_TRUE(json.at("traceEvents").is_array());
    EXPECT_EQ(json.at("otherData").at("slices_dropped"), 12);
    std::filesystem::remove(path);
}

TEST(TraceFile, SaysWhereItCannotBeWritten) {
    EXPECT_THROW(write_trace("/proc/nowhere/trace.json", {}), Error);
}

}  // namespace
}  // namespace horde
