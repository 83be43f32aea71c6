#include "core/read/chrome/chrome_tracks.h"

#include <doctest/doctest.h>

using namespace tv;

namespace {

std::string key(std::string_view pid, std::string_view tid) {
  std::string text;
  make_track_key(text, pid, tid, TrackClass::Thread);
  return text;
}

struct Seen {
  std::vector<std::string> gpu, host;
};

// The process name of a lane of pid 90 whose categories do not say what ran there, given these parts of a file.
std::string process_of_the_other_lane(const std::vector<Seen>& parts) {
  SourceDraft draft(SourceInfo{});
  ChromeTracks tracks(draft, {"file"});
  for (const Seen& part : parts) {
    StringTable keys;
    for (const std::string& track : part.gpu) keys.intern(track);
    for (const std::string& track : part.host) keys.intern(track);
    keys.intern(key("90", "other"));
    tracks.add({}, keys, part.gpu, part.host);
  }
  return draft.view().lanes.at(key("90", "other")).path.at(1).name;
}

}  // namespace

TEST_CASE("chrome_tracks: a track with both kernels and calls is a stream, wherever chunks end") {
  const std::string both = key("90", "7"), host = key("90", "8");
  const Seen kernels{{both}, {}}, calls{{}, {both}};
  CHECK(process_of_the_other_lane({kernels}) == "GPU 90");
  for (const std::vector<Seen>& parts : {std::vector{kernels, calls}, {calls, kernels}, {calls, kernels, calls}, {{{both}, {both}}}}) {
    CHECK(process_of_the_other_lane(parts) == "GPU 90");
  }
  // A thread of its own makes pid 90 a process.
  for (const std::vector<Seen>& parts : {std::vector{kernels, Seen{{}, {host}}}, {{{both}, {host}}}, {{{}, {host}}, kernels, calls}}) {
    CHECK(process_of_the_other_lane(parts) == "process 90");
  }
}
