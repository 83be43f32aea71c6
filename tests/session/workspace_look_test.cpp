// Panels, theme and colours: the window's look, without the window.
#include <doctest/doctest.h>

#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

TEST_CASE("workspace: panels, theme and interface size change by command") {
  TestDesk desk;
  CHECK(desk.ws.state().panels.layout().drawer);
  desk.apply(TogglePanel{"details"});
  CHECK(desk.ws.state().panels.layout().drawer);
  CHECK(desk.ws.state().panels.layout().left == "details");
  desk.apply(TogglePanel{"details"});
  CHECK(!desk.ws.state().panels.layout().drawer);
  desk.apply(TogglePanel{"problems"});
  CHECK(desk.ws.state().panels.layout().drawer);
  CHECK(desk.ws.state().panels.layout().left == "problems");
  const ThemeKind theme = desk.ws.settings().shown_theme();
  desk.apply(ToggleTheme{});
  CHECK(desk.ws.settings().shown_theme() != theme);
  desk.apply(ToggleTheme{});
  CHECK(desk.ws.settings().shown_theme() == theme);
  for (int i = 0; i < 50; ++i) desk.apply(ScaleInterface{1.1f});
  CHECK(desk.ws.settings().text_size == 3);
  desk.apply(ScaleInterface{0});
  CHECK(desk.ws.settings().text_size == 1);
}

TEST_CASE("workspace: colours follow the user's communication patterns") {
  const TempDir folder;
  TestDesk desk;
  desk.open({folder.write("a.json", R"([{"ph":"X","cat":"kernel","name":"my_exchange","pid":0,"tid":7,"ts":0,"dur":9},
    {"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":8,"ts":0,"dur":9}])")});
  const auto color_of_mine = [&] {
    const LabelTable& labels = desk.ws.trace().labels;
    for (std::size_t l = 0; l < labels.size(); ++l) {
      if (labels.name(id_at<LabelId>(l)) == "my_exchange") return desk.ws.palette().fill(id_at<LabelId>(l));
    }
    return Rgba{};
  };
  const Rgba computing = color_of_mine();
  desk.ws.apply(SetChart{"communication", "my_exchange"});
  const Rgba communicating = color_of_mine();
  CHECK(communicating != computing);
  CHECK(communicating == color_of("kernel", "my_exchange", desk.ws.settings().shown_theme(), CommunicationRules("my_exchange")));
  desk.ws.apply(SetChart{"communication", ""});
  CHECK(color_of_mine() == computing);
}

TEST_CASE("workspace: a command sets the colour-blind palette") {
  const TempDir folder;
  TestDesk desk;
  desk.open({folder.write("a.json", R"([{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":0,"dur":9}])")});
  const LabelId label = desk.ws.trace().slices.label[0];
  const Rgba usual = desk.ws.palette().fill(label);
  const std::uint64_t layout = desk.ws.state().halves.layout_version;
  desk.apply(SetAppearance{.palette = PaletteKind::ColorBlind, .reduced_motion = {}});
  CHECK(desk.ws.settings().palette == PaletteKind::ColorBlind);
  CHECK(desk.ws.palette().fill(label) == color_of("kernel", "gemm", desk.ws.settings().shown_theme(), {}, PaletteKind::ColorBlind));
  CHECK(desk.ws.state().halves.layout_version != layout);  // everything is drawn again
  desk.apply(SetAppearance{.palette = PaletteKind::Usual, .reduced_motion = true});
  CHECK(desk.ws.palette().fill(label) == usual);
  CHECK(desk.ws.settings().reduced_motion);
}

TEST_CASE("workspace: with reduced motion the view reaches its target in one frame") {
  const TempDir folder;
  TestDesk desk;
  desk.open({folder.write("a.json", R"([{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":0,"dur":9000}])")});
  for (const bool reduced : {false, true}) {
    desk.apply(FitAll{});
    desk.ws.apply(SetAppearance{.palette = {}, .reduced_motion = reduced});
    desk.ws.apply(ZoomTo{{2'000'000, 3'000'000}});
    desk.frame();
    CHECK(desk.ws.state().moving() == !reduced);
    desk.settle();
  }
}
