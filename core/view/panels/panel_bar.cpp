#include "core/view/panels/panel_bar.h"

#include <algorithm>

namespace tv {
namespace {

constexpr float kMostForGroups = 0.5f;  // share of the row; groups that need more become a menu if tabs lack room
constexpr int kPanelKeys = 9;

}  // namespace

PanelBar panel_bar(const PanelData& data, PanelGroup group, std::string_view in_sight, const PanelBarWidths& widths) {
  PanelBar bar;
  bar.groups = groups_of(data);
  bar.group = std::ranges::find(bar.groups, group) != bar.groups.end() || bar.groups.empty() ? group : bar.groups.front();
  float all_groups = 0;
  for (const PanelGroup each : bar.groups) all_groups += widths.group(each);

  std::vector<PanelTab> tabs;
  float all_tabs = 0;
  for (const PanelInfo* const panel : panels_of(bar.group, data)) {
    const int number = static_cast<int>(tabs.size()) + 1;
    tabs.push_back({panel, number <= kPanelKeys ? number : 0});
    all_tabs += widths.tab(tabs.back());
  }
  bar.groups_as_menu = bar.groups.size() > 1 && all_groups + all_tabs > widths.room && all_groups > widths.room * kMostForGroups;
  const float room = widths.room - (bar.groups_as_menu ? widths.group(bar.group) + widths.menu_mark : all_groups);
  if (all_tabs <= room) {
    bar.tabs = std::move(tabs);
    return bar;
  }
  float used = widths.more;
  for (const PanelTab& tab : tabs) {
    const float width = widths.tab(tab);
    const bool fits = used + width <= room && bar.more.empty();
    if (fits) used += width;
    (fits ? bar.tabs : bar.more).push_back(tab);
  }
  const auto wanted = std::ranges::find_if(bar.more, [&](const PanelTab& tab) { return tab.panel->id == in_sight; });
  if (wanted == bar.more.end()) return bar;
  // The wanted tab replaces the last tabs of the row, which move to the front of the menu.
  const PanelTab wanted_tab = *wanted;
  bar.more.erase(wanted);
  while (!bar.tabs.empty() && used + widths.tab(wanted_tab) > room) {
    used -= widths.tab(bar.tabs.back());
    bar.more.insert(bar.more.begin(), bar.tabs.back());
    bar.tabs.pop_back();
  }
  bar.tabs.push_back(wanted_tab);
  return bar;
}

}  // namespace tv
