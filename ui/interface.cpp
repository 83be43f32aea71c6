#include "ui/interface.h"

#include <algorithm>
#include <cmath>

#include "core/view/keymap.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/escape.h"
#include "ui/widgets/text.h"

namespace tv {
namespace {

constexpr float kFontSize = 14.5f;
constexpr float kTopHeight = 34, kStepsHeight = 46, kMinimapHeight = 30, kStatusHeight = 26, kTabsHeight = 26, kSplitterHeight = 5;
constexpr float kDrawerLeast = 60, kChartShare = 0.38f;
constexpr std::size_t kFewLanes = 4;
constexpr double kNoticeSeconds = 3, kNoticeLettersPerSecond = 15;

HeldKeys held_keys(const Keys& keys) {
  const auto down = [&](Action action) { return keys.held(binding(action)) > 0; };
  return {down(Action::ZoomIn), down(Action::ZoomOut), down(Action::PanLeft), down(Action::PanRight), keys.shift()};
}

}  // namespace

Interface::Interface(Workspace& workspace, Keys& keys, Fonts& fonts, TimelineCanvas& canvas, std::function<void()> wake,
                     std::uint64_t id)
    : workspace_(workspace),
      keys_(keys),
      fonts_(fonts),
      backdrop_({}, id),
      timeline_(canvas),
      statistics_(workspace, wake),
      panels_(make_panels()),
      open_dialog_(workspace.pool(), std::move(wake)) {}

std::vector<Interface::Panel> Interface::make_panels() {
  std::vector<Panel> panels = {
      {"details",
       "Details",
       "The selected slice, or time per name in the selected area",
       {},
       [this](const PanelContext& c) { draw_details(c); }},
      {"statistics", "Statistics", "Time per name", {}, [this](const PanelContext& c) { statistics_.draw(c); }},
      {"notes", "Notes", "Marks and measured spans, with their names", {}, [this](const PanelContext& c) { notes_.draw(c); }},
      {"problems",
       "Import report",
       "What was read, repaired, lost",
       {},
       [this](const PanelContext& c) { problems_.draw(c); }},
      {"hits",
       "Hits",
       "Slices that were found by the search, one by one (/)",
       {},
       [this](const PanelContext& c) { hits_.draw(c); }},
      {"findings", "Found", "What stands out, in sentences", {}, draw_findings, {}, false, true},
      {"clocks",
       "Clocks",
       "Whether the clocks of ranks and of rollout workers agree",
       {},
       [this](const PanelContext& c) { clocks_.draw(c); },
       {},
       true},
  };
  for (const ChartKind& kind : chart_kinds()) {
    panels.push_back({kind.id, kind.title, kind.hint, kind.of,
                      [this, &kind](const PanelContext& c) { charts_.draw(c, kind); },
                      [this, &kind](const PanelContext& c) {
                        if (kind.of == RunPart::Rollout) filter_bar_.draw(c);
                        if (kind.of == RunPart::Slices) draw_brushed_slices(c);
                        charts_.draw_controls(c, kind);
                      }});
  }
  return panels;
}

// An area without a slice or gap: its statistics are what there is to say of it.
void Interface::draw_details(const PanelContext& context) {
  const Selection& selection = context.workspace.selection();
  const bool area_alone = selection.range && !context.workspace.details() && !context.workspace.gap();
  area_alone ? statistics_.draw(context) : details_.draw(context);
}

void Interface::prepare(float display_scale, float pixel_ratio) {
  const float scale = display_scale * workspace_.interface_scale();
  if (scale != prepared_scale_ || workspace_.theme() != prepared_theme_) {
    theme_ = make_theme(workspace_.theme(), scale);
    apply_style(theme_);
    prepared_scale_ = scale;
    prepared_theme_ = workspace_.theme();
  }
  fonts_.set_size(kFontSize, scale, pixel_ratio);
  collect_letters();
}

// Names in traces may hold any letters; the fonts must know them before they are drawn.
void Interface::collect_letters() {
  const Trace& trace = workspace_.trace();
  const std::uint64_t generation = workspace_.snapshot().generation, notes = workspace_.notes().version();
  if (std::exchange(letters_of_notes_, notes) != notes) {
    for (const Note& note : workspace_.notes().all()) fonts_.add_text(note.name);
  }
  if (workspace_.naming()) fonts_.add_text(timeline_.typed_name());
  if (generation == letters_of_) return;
  letters_of_ = generation;
  const auto beyond_ascii = [](std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  };
  for (std::size_t l = 0; l < trace.labels.size(); ++l) {
    const std::string_view name = trace.labels.name(id_at<LabelId>(l));
    if (!beyond_ascii(name)) continue;
    fonts_.add_text(name);
    lacks_letters_ = lacks_letters_ || fonts_.lacks_east_asian(name);
  }
  for (const Lane& lane : trace.lanes) {
    if (beyond_ascii(lane.name)) fonts_.add_text(lane.name);
  }
  for (const SourceInfo& source : trace.sources) {
    if (beyond_ascii(source.path)) fonts_.add_text(source.path);
  }
}

// Typed, composed by an input method, or pasted. Without a font for them people are told once which package has one.
void Interface::collect_typed_letters(double now_s) {
  const std::u32string_view typed = keys_.characters();
  fonts_.add_code_points(typed);
  lacks_letters_ = lacks_letters_ || fonts_.lacks_east_asian(typed);
  const auto follow = [&](std::string& known, const std::string& now) {
    if (known == now) return;
    known = now;
    fonts_.add_text(now);
    lacks_letters_ = lacks_letters_ || fonts_.lacks_east_asian(now);
  };
  follow(letters_of_search_, workspace_.search_text());
  follow(letters_of_lanes_, workspace_.lane_filter());
  if (!lacks_letters_ || std::exchange(said_lacks_letters_, true)) return;
  notify("No font here has Chinese, Japanese or Korean letters: install fonts-noto-cjk (Debian, Ubuntu), "
         "google-noto-sans-cjk-fonts (Fedora) or noto-fonts-cjk (Arch)", now_s);
}

bool Interface::charts_shown() const {
  const auto shown = std::ranges::find(panels_, workspace_.drawer_panel(), &Panel::id);
  return shown != panels_.end() && shown->of && (workspace_.run().pending() || workspace_.run().data().has(*shown->of));
}

bool Interface::animating() const {
  return workspace_.moving() || keys_.any_held() || timeline_.dragging() || !notice_.empty() || drop_panel_.hovers() || open_dialog_.waiting();
}

void Interface::notify(std::string text, double now_s) {
  last_notice_ = notice_ = std::move(text);
  notice_until_s_ = now_s + kNoticeSeconds + static_cast<double>(notice_.size()) / kNoticeLettersPerSecond;
}

// Before anything is open the start page has the window to itself.
bool Interface::drawer_shown() const { return workspace_.drawer_open() && workspace_.anything_open(); }

Interface::Layout Interface::layout_of(ImVec2 size) const {
  const float top = std::floor(theme_.px(kTopHeight)), minimap = std::floor(theme_.px(kMinimapHeight));
  const float steps = StepStripPanel::shown(workspace_) ? std::floor(theme_.px(kStepsHeight)) : 0;
  const float status = std::floor(theme_.px(kStatusHeight)), splitter = std::floor(theme_.px(kSplitterHeight));
  const float tabs = TabBar::shown(tabs_) ? std::floor(theme_.px(kTabsHeight)) : 0;
  const float rest = std::max(1.0f, size.y - top - tabs - steps - minimap - status);
  // The lanes keep the larger half of a small window, until somebody drags.
  // Beside one or two lanes, as a training log has, charts are what there is to see.
  const bool by_itself = charts_shown() && !drawer_dragged_, few = by_itself && workspace_.trace().lanes.size() <= kFewLanes;
  const float least = theme_.px(kDrawerLeast);
  const float most = std::max(least, rest * (few ? 0.65f : by_itself ? kChartShare : 0.7f));
  const float wanted = few ? most : theme_.px(charts_shown() ? chart_drawer_height_ : drawer_height_);
  const float drawer = drawer_shown() ? std::floor(std::clamp(wanted, least, most)) : 0;
  const float gap = drawer > 0 ? splitter : 0;
  const float timeline = std::max(1.0f, rest - drawer - gap);
  Layout layout;
  layout.top = {0, 0, size.x, top};
  layout.tabs = {0, top, size.x, tabs};
  layout.steps = {0, top + tabs, size.x, steps};
  layout.minimap = {0, top + tabs + steps, size.x, minimap};
  layout.timeline = {0, layout.minimap.y + minimap, size.x, timeline};
  layout.splitter = {0, layout.timeline.y + timeline, size.x, gap};
  layout.drawer = {0, layout.splitter.y + gap, size.x, drawer};
  layout.status = {0, size.y - status, size.x, status};
  return layout;
}

void Interface::frame(ImVec2 size, float dt_s, double now_s) {
  const Layout layout = layout_of(size);
  workspace_.begin_frame(static_cast<double>(dt_s), now_s, timeline_.geometry(layout.timeline, theme_));
  lanes_ = timeline_.lanes_area(layout.timeline, theme_);
  if (now_s > notice_until_s_) notice_.clear();
  collect_typed_letters(now_s);
  backdrop_.begin(theme_.window);
  const PanelContext context{workspace_, commands_, keys_, theme_, fonts_, backdrop_, now_s, dt_s};
  dispatch_keys(context);
  top_bar_.draw(context, layout.top);
  if (layout.tabs.height > 0) tab_bar_.draw(context, layout.tabs, tabs_);
  if (layout.steps.height > 0) step_strip_.draw(context, layout.steps);
  minimap_.draw(context, layout.minimap, lanes_);
  timeline_.draw(context, layout.timeline);
  draw_drawer(context, layout);
  status_bar_.draw(context, layout.status, notice_);
  const Area whole{0, 0, size.x, size.y};
  go_to_.draw(context, layout.top);
  missing_.draw(context, layout.status);
  top_bar_.menus().draw_menu(context, layout.top, whole);
  command_box_.draw(context, layout.top, whole);
  if (workspace_.help_open()) draw_help(context, whole);
  if (workspace_.dialog_open()) {
    open_dialog_.draw(context, whole);
  } else {
    open_dialog_.close();
  }
  drop_panel_.draw(context, whole);
  const bool searched = workspace_.search_open(), went = workspace_.go_to_open(), named = workspace_.naming().has_value();
  const auto boxed = workspace_.command_use().box;
  for (const Command& command : commands_.take()) workspace_.apply(command);
  expects_text_ = (workspace_.search_open() && !searched) || (workspace_.go_to_open() && !went) || (workspace_.naming() && !named) ||
                  (workspace_.command_use().box && workspace_.command_use().box != boxed);
  if (std::string said = workspace_.take_notice(); !said.empty()) notify(std::move(said), now_s);
}

void Interface::drop(std::vector<std::string> paths, std::optional<ImVec2> at, bool shift) {
  if (auto opens = drop_panel_.drop(workspace_, std::move(paths), at, shift)) commands_.push(std::move(*opens));
}

void Interface::dispatch_keys(const PanelContext& context) {
  if (drop_panel_.asks() || (workspace_.dialog_open() && !keys_.text_input_active())) return workspace_.navigate({}, static_cast<double>(context.dt_s), 0.5);
  if (keys_.text_input_active()) {
    // In the search box Escape and Enter are the box's; Escape also closes it.
    if (escape_pressed_in_text_box()) context.push(command::ClearSelection{});
    // Function keys type nothing: F12 takes a picture of what is being typed, too. Neither do the search's with Alt, nor the keys
    // of the command box, which sees them itself while it is open.
    for (const Binding& binding : bindings()) {
      const bool of_box = binding.action == Action::CommandBox || binding.action == Action::FindLane;
      for (const Chord chord : {binding.chord, binding.second}) {
        const bool function = chord.key >= Key::F1 && chord.key <= Key::F12;
        const bool of_search = chord.modifiers == kAlt && binding.group == "Search" && workspace_.search_open();
        const bool opens_box = of_box && !workspace_.command_use().box;
        if ((!function && !of_search && !opens_box) || !keys_.typed(chord)) continue;
        if (auto command = command_for(binding.action)) commands_.push(std::move(*command));
      }
    }
    workspace_.navigate({}, static_cast<double>(context.dt_s), 0.5);
    return;
  }
  constexpr int kMouse4 = 3, kMouse5 = 4;
  if (ImGui::IsMouseClicked(kMouse4)) context.push(command::Back{});
  if (ImGui::IsMouseClicked(kMouse5)) context.push(command::Forward{});
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool inside = lanes_.contains(mouse);
  const double anchor = inside ? static_cast<double>((mouse.x - lanes_.x) / lanes_.width) : 0.5;
  const bool steered = !workspace_.command_use().covers();
  workspace_.navigate(steered ? held_keys(keys_) : HeldKeys{}, static_cast<double>(context.dt_s), anchor);
  if (keys_.alt_tapped()) context.push(command::ToggleMenus{});
  if (workspace_.command_use().menus) return dispatch_keys_of_menus(context);
  const bool menu_open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);  // Esc is then the menu's
  for (const Binding& binding : bindings()) {
    if (binding.held || !keys_.typed(binding)) continue;
    if (menu_open && binding.action == Action::ClearSelection) continue;
    if (auto command = command_for(binding.action)) commands_.push(std::move(*command));
  }
}

// Arrows, Enter and Space are the menus' own.
void Interface::dispatch_keys_of_menus(const PanelContext& context) {
  for (const Action action : {Action::ClearSelection, Action::OpenMenus, Action::CommandBox, Action::FindLane, Action::Screenshot, Action::Quit}) {
    if (keys_.pressed(binding(action))) context.commands.push(*command_for(action));
  }
}

std::optional<ImVec2> Interface::place_of_tab(std::string_view panel) const {
  const auto found = std::ranges::find(panels_, panel, &Panel::id);
  return found == panels_.end() || found->tab.x < 0 ? std::nullopt : std::optional(found->tab);
}

void Interface::draw_tabs(const PanelContext& context) {
  const RunData& data = workspace_.run().data();
  bool first = true;
  // Close together: those of a rollout then stand in one line of a window of 1366 pixels.
  const ImVec2 padding{theme_.px(6), ImGui::GetStyle().FramePadding.y}, spacing{theme_.px(4), ImGui::GetStyle().ItemSpacing.y};
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, spacing);
  for (Panel& panel : panels_) {
    panel.tab = {-1, -1};
    if ((panel.of && !data.has(*panel.of)) || (panel.of_clocks && !clocks_.shown(workspace_)) ||
        (panel.of_run && data.empty()))
      continue;
    const bool active = workspace_.drawer_panel() == panel.id;
    // As many beside each other as there is room for.
    const float width = ImGui::CalcTextSize(panel.title.data()).x + ImGui::GetStyle().FramePadding.x * 2;
    if (!first) ImGui::SameLine();
    if (!first && ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
    first = false;
    ImGui::PushStyleColor(ImGuiCol_Button, active ? theme_.accent_soft : theme_.panel);
    if (ImGui::Button(panel.title.data()) && !active) context.push(command::TogglePanel{std::string(panel.id)});
    ImGui::PopStyleColor();
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    panel.tab = {(low.x + high.x) / 2, (low.y + high.y) / 2};
    if (ImGui::IsItemHovered()) {
      // Above the tabs, which it would hide.
      ImGui::SetNextWindowPos({low.x, low.y - theme_.px(4)}, ImGuiCond_Always, {0, 1});
      ImGui::SetTooltip("%s", panel.hint.data());
    }
  }
  ImGui::PopStyleVar(2);
}

void Interface::draw_drawer(const PanelContext& context, const Layout& layout) {
  if (!drawer_shown()) return;
  {
    const BarWindow splitter("splitter", layout.splitter, backdrop_, theme_.border);
    const bool over = ImGui::IsWindowHovered();
    if (over || dragging_drawer_) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) dragging_drawer_ = true;
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) dragging_drawer_ = false;
    if (dragging_drawer_ && !std::exchange(drawer_dragged_, true)) drawer_height() = layout.drawer.height / theme_.scale;
    if (dragging_drawer_) drawer_height() -= ImGui::GetIO().MouseDelta.y / theme_.scale;
    drawer_height() = std::max(drawer_height(), kDrawerLeast);
  }
  const BarWindow drawer("drawer", layout.drawer, backdrop_, theme_.panel);
  draw_tabs(context);
  const auto shown = std::ranges::find(panels_, workspace_.drawer_panel(), &Panel::id);
  if (shown == panels_.end()) return;
  if (shown->above) shown->above(context);
  ImGui::BeginChild("content");
  shown->draw(context);
  ImGui::EndChild();
}

}  // namespace tv
