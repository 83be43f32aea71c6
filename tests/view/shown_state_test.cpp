#include "core/view/panels/shown_state.h"

#include <doctest/doctest.h>

namespace tv {

TEST_CASE("shown_state: the lane layout survives a JSON round trip") {
  ShownState state;
  state.look.arranged = true;
  LaneState& lanes = state.look.lanes.state;
  lanes.overview = {{.key = "rank 0", .collapsed = true},
                    {.key = "rank 0/thread 1", .row = 7.5f, .levels = 12, .first_slot = 3, .thin = 4}};
  lanes.overview_scale = 0.5f;
  lanes.growth = 1.25f;
  lanes.filter = "rank 0..3";
  lanes.collapsed = {{"rank 1", false}};
  lanes.row_sizes = {{"rank 2", RowSize::Tall}};
  lanes.depth_limits = {{"rank 3", 2}};
  lanes.hidden = {"rank 4"};
  lanes.only = {"rank 5"};
  lanes.pinned = {"rank 6"};
  const auto read = parse_shown_state(to_json(state));
  REQUIRE(read);
  const LaneState& back = read.value().look.lanes.state;
  CHECK(back.overview == lanes.overview);
  CHECK(back.overview_scale == lanes.overview_scale);
  CHECK(back.growth == lanes.growth);
  CHECK(back.filter == lanes.filter);
  CHECK(back.collapsed == lanes.collapsed);
  CHECK(back.row_sizes == lanes.row_sizes);
  CHECK(back.depth_limits == lanes.depth_limits);
  CHECK(back.hidden == lanes.hidden);
  CHECK(back.only == lanes.only);
  CHECK(back.pinned == lanes.pinned);
  CHECK(to_json(read.value()) == to_json(state));
}

TEST_CASE("shown_state: an out-of-range number is clamped, and a wrong type is an error that names its place") {
  ShownState state;
  state.look.arranged = true;
  state.look.lanes.state.overview = {{.key = "rank 0", .thin = 4}};
  const std::string text = to_json(state);
  const std::size_t at = text.find('4', text.find("\"thin\""));
  REQUIRE(at != std::string::npos);
  const auto with = [&](const char* value) { return parse_shown_state(std::string(text).replace(at, 1, value)); };
  REQUIRE(with("-1"));
  CHECK(with("-1").value().look.lanes.state.overview.front().thin == 0);
  REQUIRE_FALSE(with("\"four\""));
  CHECK(with("\"four\"").error().text().find("overview_lanes[0].thin") != std::string::npos);
}

TEST_CASE("shown_state: chosen ranks are clamped to 64 bits, and roles match in any case") {
  ShownState state;
  state.read.choice.ranks = {{0, 7654321}};
  state.read.choice.roles = {"actor"};
  std::string text = to_json(state);
  const auto replace = [&](std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  replace("7654321", "18446744073709551615");
  replace("actor", "Actor");
  const auto read = parse_shown_state(text);
  REQUIRE(read);
  CHECK(read.value().read.choice.ranks.front().last == INT64_MAX);
  CHECK(read.value().read.choice.roles == std::vector<std::string>{"actor"});
}

}  // namespace tv
