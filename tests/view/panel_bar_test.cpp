// The table of panels and the bar that offers them.
#include "core/view/panels/panel_bar.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/support/gen_trace.h"

using namespace tv;

namespace {

// Data of every kind that the table asks for; none of it is drawn.
struct Everything {
  RunData data;
  Everything() {
    data.rollout = std::make_shared<Rollout>();
    const auto training = std::make_shared<Training>();
    training->runs.resize(2);
    data.training = training;
    data.pipelines = std::make_shared<std::vector<PipelineSummary>>(1);
    data.gpu = std::make_shared<GpuActivity>();
    data.paces = std::make_shared<std::vector<PaceName>>(1);
    data.steps = std::make_shared<std::vector<StepSource>>(1);
    data.trace = test::TraceSketch().lane("a", RowRule::Nest).lane("b", RowRule::Nest).slice("a", 0, 1).slice("b", 0, 1).build();
  }
  PanelData of() const { return {data, false, true, true, true, true}; }
};

// Letters of 7 pixels, as in the window.
PanelBarWidths widths_for(float room) {
  PanelBarWidths widths;
  widths.group = [](PanelGroup group) { return 7.0f * static_cast<float>(name(group).size()) + 14; };
  widths.tab = [](const PanelTab& tab) { return 7.0f * static_cast<float>(tab.panel->title.size()) + 22; };
  widths.menu_mark = 14;
  widths.more = 44;
  widths.room = room;
  return widths;
}

float width_of(const PanelBar& bar, const PanelBarWidths& widths) {
  float sum = bar.more.empty() ? 0 : widths.more;
  if (bar.groups_as_menu) {
    sum += widths.group(bar.group) + widths.menu_mark;
  } else {
    for (const PanelGroup group : bar.groups) sum += widths.group(group);
  }
  for (const PanelTab& tab : bar.tabs) sum += widths.tab(tab);
  return sum;
}

}  // namespace

TEST_CASE("panels: every chart is a panel, once, in the group of its data, with a title and a hint") {
  std::set<std::string_view> ids;
  for (const PanelInfo& panel : panel_table()) {
    CAPTURE(panel.id);
    CHECK(ids.insert(panel.id).second);
    CHECK(!panel.title.empty());
    CHECK(!panel.hint.empty());
    CHECK(find_panel(panel.id) == &panel);
    if (!panel.chart) continue;
    const std::string_view group = name(panel.group);
    CHECK(panel.chart->id == panel.id);
    switch (panel.chart->of) {
      case RunPart::Rollout: CHECK(group == "Rollout"); break;
      case RunPart::Training: CHECK(group == "Training"); break;
      case RunPart::Pipeline: CHECK(group == "Pipeline"); break;
      case RunPart::Gpu: CHECK(group == "GPU"); break;
      case RunPart::Slices: CHECK(group == "Trace"); break;
    }
  }
  for (const ChartKind& kind : chart_kinds()) CHECK(ids.contains(kind.id));
  CHECK(find_panel("nonsense") == nullptr);
}

TEST_CASE("panels: only panels with data are offered") {
  const Everything all;
  std::size_t count = 0;
  for (const PanelGroup group : groups_of(all.of())) count += panels_of(group, all.of()).size();
  CHECK(count == panel_table().size());

  RunData gpu_alone;
  gpu_alone.gpu = all.data.gpu;
  gpu_alone.trace = all.data.trace;
  const PanelData of{gpu_alone, false, false, false, false};
  CHECK(groups_of(of) == std::vector<PanelGroup>{PanelGroup::Gpu, PanelGroup::Trace});
  std::set<std::string_view> ids;
  for (const PanelGroup group : groups_of(of)) {
    for (const PanelInfo* const panel : panels_of(group, of)) ids.insert(panel->id);
  }
  CHECK(ids.contains("gpu"));
  CHECK(ids.contains("findings"));
  CHECK(!ids.contains("nccl_overlap"));  // nothing communicates
  CHECK(!ids.contains("launch_delay"));  // no arrow leads to a kernel
  CHECK(!ids.contains("pace"));
  CHECK(!ids.contains("gpu_steps"));
  CHECK(!ids.contains("clocks"));
  CHECK(!ids.contains("problem_kinds"));
  CHECK(!ids.contains("cdf"));
  CHECK(next_group(PanelGroup::Gpu, true, of) == PanelGroup::Trace);
  CHECK(next_group(PanelGroup::Trace, true, of) == PanelGroup::Gpu);
  CHECK(next_group(PanelGroup::Gpu, false, of) == PanelGroup::Trace);
  CHECK(next_group(PanelGroup::Rollout, true, of) == PanelGroup::Gpu);

  const PanelData none{RunData{}, false, false, false, false};
  CHECK(groups_of(none) == std::vector<PanelGroup>{PanelGroup::Trace});
}

TEST_CASE("panels: the bar fits in one row, includes the shown panel and offers every panel of the group") {
  const Everything all;
  for (const float room : {560.0f, 940.0f, 1280.0f, 1840.0f}) {
    const PanelBarWidths widths = widths_for(room);
    for (const PanelInfo& panel : panel_table()) {
      CAPTURE(room);
      CAPTURE(panel.id);
      const PanelBar bar = panel_bar(all.of(), panel.group, panel.id, widths);
      CHECK(width_of(bar, widths) <= room);
      CHECK(bar.group == panel.group);
      const std::size_t of_group = panels_of(panel.group, all.of()).size();
      // Most panels could go into the menu; at least three tabs stay in sight.
      CHECK(bar.tabs.size() >= std::min<std::size_t>(3, of_group));
      CHECK(bar.tabs.size() + bar.more.size() == of_group);
      CHECK(std::ranges::any_of(bar.tabs, [&](const PanelTab& tab) { return tab.panel == &panel; }));
    }
  }
  CHECK(panel_bar(all.of(), PanelGroup::Rollout, "steps", widths_for(560)).groups_as_menu);
  CHECK(!panel_bar(all.of(), PanelGroup::Rollout, "steps", widths_for(940)).groups_as_menu);
  CHECK(panel_bar(all.of(), PanelGroup::Rollout, "steps", widths_for(1840)).more.empty());
}

TEST_CASE("panels: the first nine panels of a group have the keys 1 to 9, wherever their tabs are") {
  const Everything all;
  const std::vector<const PanelInfo*> rollout = panels_of(PanelGroup::Rollout, all.of());
  REQUIRE(rollout.size() > 9);
  const PanelBar bar = panel_bar(all.of(), PanelGroup::Rollout, rollout.back()->id, widths_for(560));
  std::vector<PanelTab> tabs = bar.tabs;
  tabs.insert(tabs.end(), bar.more.begin(), bar.more.end());
  for (const PanelTab& tab : tabs) {
    const auto at = std::ranges::find(rollout, tab.panel) - rollout.begin();
    CHECK(tab.key == (at < 9 ? at + 1 : 0));
  }
}
