// Titles of lanes, and the message in place of lanes when none is shown.
#include "core/view/lanes/lane_titles.h"

#include <doctest/doctest.h>

#include <map>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("lane_titles: without lanes, a message says why and what to do") {
  const NoLanesMessage hidden = no_lanes_message("", "", "Ctrl+Shift+X");
  CHECK(hidden.why == "All lanes are hidden");
  CHECK(hidden.remedy == "Ctrl+Shift+X shows them again");
  const NoLanesMessage filtered = no_lanes_message("勾配", "", "Ctrl+Shift+X");
  CHECK(filtered.why == "No lane has \"勾配\"");
  CHECK(filtered.remedy.find("Lanes") != std::string::npos);
  CHECK(no_lanes_message("/(/", "a bracket is open", "X").why == "a bracket is open");
}

TEST_CASE("lane_titles: the beginning that all lanes share, up to a comma, is left out") {
  TraceSketch sketch;
  for (const char* process : {"python3, pid 111", "python3, pid 112"}) {
    for (const char* stream : {"kernels", "memory"}) {
      LaneSpec spec;
      spec.path = {{process}, {"GPU"}, {stream}};
      sketch.lane(std::string(process) + stream, spec).slice(std::string(process) + stream, 0, 10);
    }
  }
  const auto trace = sketch.build();
  std::vector<LaneId> lanes;
  for (std::size_t l = 0; l < trace->lanes.size(); ++l) {
    if (trace->lanes[l].row_count > 0) lanes.push_back(id_at<LaneId>(l));
  }
  CHECK(lane_titles(*trace, lanes) ==
        std::vector<std::string>{"pid 111 / kernels", "pid 111 / memory", "pid 112 / kernels", "pid 112 / memory"});
}

TEST_CASE("cut_title: shortened titles of similar lanes stay distinct") {
  const auto letters = [](std::size_t most) {
    return [most](std::string_view text) {
      return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; })) <= most;
    };
  };
  const std::vector<std::string> families[] = {
      {"worker:0000000000000000000000000000000000000001", "worker:0000000000000000000000000000000000000002"},
      {"ray::WorkerDict.actor_rollout_update_actor", "ray::WorkerDict.actor_rollout_compute_log_prob"},
      {"model.decoder.layers.17.self_attention.linear", "model.decoder.layers.18.self_attention.linear"},
      {"勾配勾配勾配勾配勾配勾配勾配一", "勾配勾配勾配勾配勾配勾配勾配二"}};
  for (const auto& family : families) {
    const std::vector<std::string_view> names(family.begin(), family.end());
    for (const std::size_t most : {12, 16, 22}) {
      std::map<std::string, std::string_view> shown;
      for (const std::string_view name : names) {
        const std::string cut = cut_title(name, names, letters(most));
        CAPTURE(cut);
        CHECK(letters(most)(cut));
        CHECK(shown.try_emplace(cut, name).second);
      }
    }
  }
  // If the beginning is enough, it is used.
  const std::vector<std::string_view> names = {"actor_update of the first rank", "ref_compute of the first rank"};
  CHECK(cut_title(names[0], names, letters(14)).starts_with("actor_update"));
}
