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

// The place of a lane of process 90 whose categories do not tell what ran there, given these parts of a file.
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

TEST_CASE("chrome_tracks: a track of kernels on which a call was seen too is a stream, wherever a chunk ends") {
  const std::string both = key("90", "7"), host = key("90", "8");
  const Seen kernels{{both}, {}}, calls{{}, {both}};
  CHECK(process_of_the_other_lane({kernels}) == "GPU 90");
  for (const std::vector<Seen>& parts : {std::vector{kernels, calls}, {calls, kernels}, {calls, kernels, calls}, {{{both}, {both}}}}) {
    CHECK(process_of_the_other_lane(parts) == "GPU 90");
  }
  // Its own thread makes it a process.
  for (const std::vector<Seen>& parts : {std::vector{kernels, Seen{{}, {host}}}, {{{both}, {host}}}, {{{}, {host}}, kernels, calls}}) {
    CHECK(process_of_the_other_lane(parts) == "process 90");
  }
}
