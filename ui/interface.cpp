#include "ui/interface.h"

#include <algorithm>
#include <cmath>

#include "core/view/keys/keymap.h"
#include "imgui_internal.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/escape.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kFontSize = 14.5f;
constexpr double kNoticeSeconds = 3, kNoticeLettersPerSecond = 15;

HeldKeys held_keys(const Keys& keys) {
  const auto down = [&](Action action) { return keys.held(binding(action)) > 0; };
  return {down(Action::ZoomIn), down(Action::ZoomOut), down(Action::PanLeft), down(Action::PanRight), keys.shift()};
}

// Closes the innermost open menu or list, whichever component opened it.
bool close_menu() {
  const int open = ImGui::GetCurrentContext()->OpenPopupStack.Size;
  if (open == 0) return false;
  ImGui::ClosePopupToLevel(open - 1, true);
  return true;
}

}  // namespace

Interface::Interface(Workspace& workspace, Keys& keys, Fonts& fonts, TimelineCanvas& canvas, std::function<void()> wake,
                     std::uint64_t id)
    : workspace_(workspace),
      keys_(keys),
      fonts_(fonts),
      backdrop_({}, id),
      timeline_(canvas),
      lower_(canvas, SplitHalf::Lower),
      panels_(workspace, wake),
      open_dialog_(workspace.pool(), wake),
      export_(std::move(wake)) {}

void Interface::prepare(float display_scale, float pixel_ratio) {
  const float scale = display_scale * workspace_.settings().text_size;
  if (scale != prepared_scale_ || workspace_.settings().shown_theme() != prepared_theme_) {
    theme_ = make_theme(workspace_.settings().shown_theme(), scale);
    apply_style(theme_);
    prepared_scale_ = scale;
    prepared_theme_ = workspace_.settings().shown_theme();
  }
  fonts_.set_size(kFontSize, scale, pixel_ratio);
  collect_letters();
  if (const std::string names = open_dialog_.take_letters(); !names.empty()) fonts_.add_text(names);
}

// Names in traces may contain any letters. The fonts must have these letters before the names are drawn.
void Interface::collect_letters() {
  const Trace& trace = workspace_.trace();
  const std::uint64_t generation = workspace_.snapshot().generation, notes = workspace_.state().notes.list.version();
  if (std::exchange(covered_notes_, notes) != notes) {
    for (const Note& note : workspace_.state().notes.all()) fonts_.add_text(note.name);
  }
  if (workspace_.state().notes.naming) fonts_.add_text(timeline_.typed_name() + lower_.typed_name());
  if (generation == covered_generation_) return;
  covered_generation_ = generation;
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

// Adds the letters that were typed, composed or pasted. If no font has them, one notice names the package to install.
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
  follow(covered_search_, workspace_.search().asked().text);
  follow(covered_lane_filter_, workspace_.state().lanes.state.filter);
  if (!lacks_letters_ || std::exchange(reported_lack_, true)) return;
  notify("No installed font has Chinese, Japanese or Korean characters: install fonts-noto-cjk (Debian, Ubuntu), "
         "google-noto-sans-cjk-fonts (Fedora) or noto-fonts-cjk (Arch)", now_s);
}

bool Interface::animating() const {
  return workspace_.state().moving() || keys_.any_held() || timeline_.dragging() || lower_.dragging() || split_header_.dragging() || !notice_.empty() || svg_wanted_ || drop_panel_.hovers() ||
         open_dialog_.waiting() || fonts_.needs_build();
}

void Interface::notify(std::string text, double now_s) {
  last_notice_ = notice_ = std::move(text);
  notice_until_s_ = now_s + kNoticeSeconds + static_cast<double>(notice_.size()) / kNoticeLettersPerSecond;
}

WindowLayout Interface::layout_of(ImVec2 size) const {
  WindowParts window{size.x, size.y, theme_.scale, TabBar::shown(tabs_), StepStripPanel::shown(workspace_)};
  if (!workspace_.state().split()) window.lanes_px = timeline_.height_for(workspace_.state().lanes.all_lanes_px, theme_);
  const ShownPanels& shown = workspace_.state().panels.shown();
  // Before anything is open, the start page fills the window.
  return window_layout(window, workspace_.state().panels.layout(), workspace_.session().anything_open() ? shown : ShownPanels());
}

void Interface::frame(ImVec2 size, float dt_s, double now_s) {
  for (TimelinePanel* const each : {&timeline_, &lower_}) each->set_names_width(workspace_.settings().names_width);
  const WindowLayout layout = layout_of(size);
  workspace_.panels().set_one_half(layout.one_half);
  const Area top = area_of(layout.top);
  const SplitAreas timelines = split_areas(workspace_.state().split(), area_of(layout.timeline), theme_);
  TimelineGeometry geometry = timeline_.geometry(timelines.upper, theme_);
  if (workspace_.state().split()) geometry.lower_px = lower_.geometry(timelines.lower, theme_).height_px;
  workspace_.begin_frame(static_cast<double>(dt_s), now_s, geometry);
  lanes_ = {timeline_.lanes_area(timelines.upper, theme_), lower_.lanes_area(timelines.lower, theme_)};
  if (now_s > notice_until_s_) notice_.clear();
  collect_typed_letters(now_s);
  backdrop_.begin(theme_.window);
  const PanelContext context{workspace_, commands_, keys_, theme_, fonts_, backdrop_, now_s, dt_s, manual_.open()};
  dispatch_keys(context);
  top_bar_.draw(context, top);
  if (layout.tabs.height > 0) tab_bar_.draw(context, area_of(layout.tabs), tabs_);
  if (layout.steps.height > 0) step_strip_.draw(context, area_of(layout.steps));
  if (workspace_.session().anything_open()) {
    minimap_.draw(context, area_of(layout.minimap), lanes_area());
    draw_timelines(context, timelines);
  } else {
    start_page_panel_.draw(context, {0, layout.tabs.bottom(), size.x, layout.status.y - layout.tabs.bottom()}, *start_page_);
  }
  save_svg(now_s);
  panels_.draw(context, layout, size);
  status_bar_.draw(context, area_of(layout.status), notice_);
  const Area whole{0, 0, size.x, size.y};
  go_to_.draw(context, top);
  missing_.draw(context, area_of(layout.status));
  top_bar_.menus().draw_menu(context, top, whole);
  if (std::string letters = top_bar_.search().take_command_letters(); !letters.empty()) command_box_.begin_with(std::move(letters));
  command_box_.draw(context, top, whole);
  if (workspace_.state().boxes.help) draw_help(context, whole);
  draw_dialogs(context, whole);
  if (workspace_.state().boxes.dialog) {
    open_dialog_.draw(context, whole);
  } else {
    open_dialog_.close();
  }
  drop_panel_.draw(context, whole);
  const bool searched = workspace_.state().boxes.search, went = workspace_.state().boxes.go_to, named = workspace_.state().notes.naming.has_value();
  const auto boxed = workspace_.state().command_use.box;
  for (const Command& command : commands_.take()) {
    if (!execute_without_workspace(command)) workspace_.apply(command);
  }
  expects_text_ = (workspace_.state().boxes.search && !searched) || (workspace_.state().boxes.go_to && !went) || (workspace_.state().notes.naming && !named) ||
                  (workspace_.state().command_use.box && workspace_.state().command_use.box != boxed) || manual_.expects_text();
  if (std::string notice = workspace_.take_notice(); !notice.empty()) notify(std::move(notice), now_s);
  collect_drawn_letters();
}

// Mouse input goes to the timeline being dragged, else to the one under the mouse.
void Interface::draw_timelines(const PanelContext& context, const SplitAreas& areas) {
  const bool split = workspace_.state().split() && areas.lower.height > 0;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool below = split && (lower_.dragging() || (!timeline_.dragging() && areas.lower.contains(mouse)));
  timeline_.draw(context, areas.upper, !below);
  if (split) {
    lower_.draw(context, areas.lower, below);
    split_header_.draw(context, areas);
  }
  workspace_.settings().names_width = (below ? lower_ : timeline_).names_width();
}

void Interface::collect_drawn_letters() {
  const std::vector<char32_t> drawn = take_wanted_letters();
  if (drawn.empty()) return;
  // The second time, adds common East Asian letters too: otherwise scrolling through Chinese prompts would rebuild the
  // fonts repeatedly.
  if (fonts_.add_code_points(drawn) && ++frames_with_late_letters_ == 2) fonts_.add_common_east_asian(drawn);
  lacks_letters_ = lacks_letters_ || fonts_.lacks_east_asian(drawn);
}

void Interface::drop(std::vector<std::string> paths, std::optional<ImVec2> at, bool shift) {
  if (auto opens = drop_panel_.drop(workspace_, std::move(paths), at, shift)) commands_.push(std::move(*opens));
}

void Interface::dispatch_keys(const PanelContext& context) {
  if (drop_panel_.asks() || (workspace_.state().boxes.dialog && !keys_.text_input_active())) return workspace_.navigate({}, static_cast<double>(context.dt_s), 0.5);
  if (keys_.text_input_active()) {
    // Escape in a text box closes a menu, or else the topmost layer (ClearSelection).
    if (escape_pressed_in_text_box() && !close_menu()) context.push(command::ClearSelection{});
    // Keys that type no text work in text boxes too: function keys (F12 takes a picture), the search's keys with Alt, and the
    // keys that open the command box. The open command box handles its keys itself.
    for (const Binding& binding : bindings()) {
      const bool of_box = binding.action == Action::CommandBox || binding.action == Action::FindLane;
      for (const Chord chord : {binding.chord, binding.second}) {
        const bool function = chord.key >= Key::F1 && chord.key <= Key::F12;
        const bool opens_box = of_box && !workspace_.state().command_use.box;
        const bool of_search = chord.modifiers == kAlt && binding.group == "Search" && workspace_.state().boxes.search;
        if ((!function && !opens_box && !of_search) || !keys_.typed(chord)) continue;
        do_action(binding);
      }
    }
    workspace_.navigate({}, static_cast<double>(context.dt_s), 0.5);
    return;
  }
  // Escape counts with any modifiers, because a clock is dragged with Alt down.
  if (keys_.down(Key::Escape) && (timeline_.cancel_clock(context) || lower_.cancel_clock(context))) return;
  constexpr int kMouse4 = 3, kMouse5 = 4;
  if (ImGui::IsMouseClicked(kMouse4)) context.push(command::Back{});
  if (ImGui::IsMouseClicked(kMouse5)) context.push(command::Forward{});
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Area lanes = lanes_area();  // the two halves have the same left and right edges
  const bool inside = lanes.contains(mouse) || (workspace_.state().split() && lanes_area(SplitHalf::Lower).contains(mouse));
  const double anchor = inside ? static_cast<double>((mouse.x - lanes.x) / lanes.width) : 0.5;
  const bool steered = !workspace_.state().command_use.covers() && !manual_.open();
  workspace_.navigate(steered ? held_keys(keys_) : HeldKeys{}, static_cast<double>(context.dt_s), anchor);
  if (keys_.alt_tapped()) context.push(command::ToggleMenus{});
  if (workspace_.state().command_use.menus || manual_.open()) return dispatch_keys_of_menus();
  for (const Binding& binding : bindings()) {
    if (binding.held || !keys_.typed(binding)) continue;
    if (binding.action == Action::ClearSelection && close_menu()) continue;
    do_action(binding);
  }
}

void Interface::do_action(const Binding& binding) {
  auto command = command_for(binding.action);
  if (!command) return;
  given_command_ = binding.id;
  commands_.push(std::move(*command));
}

// Only these keys: arrows, Enter and Space belong to the open menu or manual.
void Interface::dispatch_keys_of_menus() {
  for (const Action action : {Action::ClearSelection, Action::OpenMenus, Action::CommandBox, Action::FindLane, Action::Screenshot, Action::Quit}) {
    if (keys_.pressed(binding(action))) do_action(binding(action));
  }
}

}  // namespace tv
