#include "ui/panels/boxes/open_dialog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/base/text/utf8.h"
#include "core/session/desk/open_title.h"
#include "core/store/draft/load_part.h"
#include "imgui_internal.h"
#include "ui/widgets/named_places.h"
#include "ui/widgets/text/label.h"
#include "ui/widgets/text/text.h"
#include "ui/widgets/text_box.h"

namespace tv {
namespace {

constexpr float kWidest = 980, kHighest = 640, kMargin = 24, kPlacesWidth = 150;
constexpr std::size_t kMostCompletions = 6;

std::string home_folder() {
  const char* const home = std::getenv("HOME");
  return home ? home : "";
}

std::string with_home(const std::string& path) {
  const bool home = path == "~" || path.starts_with("~/");
  return home ? home_folder() + path.substr(1) : path;
}

void complete(ImGuiInputTextCallbackData& data, const FolderListing& listing) {
  const std::string typed(data.Buf, static_cast<std::size_t>(data.BufTextLen));
  const std::string all = common_beginning(path_completions(typed, listing));
  if (all.size() <= typed.size()) return;
  data.DeleteChars(0, data.BufTextLen);
  data.InsertChars(0, all.c_str());
}

}  // namespace

OpenDialog::OpenDialog(ThreadPool& pool, std::function<void()> wake) : listings_(pool, wake), completions_(pool, std::move(wake)) {}

void OpenDialog::note_place(std::string_view what) {
  places_.emplace_back(what, middle_of_item());
}

std::optional<ImVec2> OpenDialog::place_of(std::string_view what) const {
  for (const auto& [name, at] : places_) {
    if (name == what) return at;
  }
  return std::nullopt;
}

void OpenDialog::begin(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  shown_ = true;
  question_ = workspace.state().boxes.question;
  const command::OpenDialog& asked = workspace.state().boxes.dialog_asks;
  how_ = asked.add ? OpenHow::Add : asked.new_tab ? OpenHow::NewTab : OpenHow::Replace;
  drives_ = mounted_drives();
  name_ = question_ ? std::string(last_part(question_->name)) : std::string();
  path_begun_ = false;
  focus_name_ = question_ && words_of(question_->purpose).saves;
  browser_.set_kind(question_ ? &words_of(question_->purpose).kind : browser_.kind());
  std::error_code code;
  const std::vector<std::string>& paths = workspace.session().paths();
  std::string folder = question_ ? std::string(folder_of(question_->name)) : std::string();
  if (folder.empty() && !asked_.path.empty()) folder = asked_.path;  // the last folder
  if (folder.empty() && !paths.empty()) folder = folder_of(std::filesystem::absolute(paths.front(), code).string());
  go(std::filesystem::absolute(folder.empty() ? "." : folder, code).lexically_normal().string());
  ImGui::SetNextWindowFocus();
}

void OpenDialog::go(std::string folder) {
  browser_.go(std::move(folder));
  read();
}

void OpenDialog::read() {
  asked_ = {browser_.folder(), asked_.asked + 1};
  typed_ = browser_.folder() == "/" ? "/" : browser_.folder() + "/";
  waiting_ = scroll_to_line_ = true;
  complaint_.clear();
  overwrite_.clear();
}

// A path that does not begin at the root begins in the folder shown, wherever the program was started.
std::string OpenDialog::whole_path(const std::string& typed) const {
  return (std::filesystem::path(browser_.folder()) / with_home(typed)).string();
}

void OpenDialog::draw(const PanelContext& context, const Area& window) {
  if (!shown_ || question_ != context.workspace.state().boxes.question) begin(context);
  const auto listed = listings_.get(asked_, [](const Folder& folder) { return list_folder(folder.path); });
  if (waiting_ && listed.fresh) {
    browser_.show(*listed.value);
    for (const FolderEntry& entry : listed.value->entries) {
      const bool ascii = std::ranges::all_of(entry.name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
      if (!ascii) letters_ += valid_utf8(entry.name);
    }
    waiting_ = false;
  }
  places_.clear();
  const Theme& theme = context.theme;
  const float width = std::min(window.width - theme.px(kMargin), theme.px(kWidest));
  const float height = std::min(window.height - theme.px(kMargin), theme.px(kHighest));
  ImGui::SetNextWindowPos({window.x + (window.width - width) / 2, window.y + (window.height - height) / 2});
  ImGui::SetNextWindowSize({width, height});
  const FileWords& words = words_of(question_ ? question_->purpose : FilePurpose::OpenTraces);
  const std::string title = (question_ ? std::string(words.title) : "Open files or folders") + "###files";
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;
  if (ImGui::Begin(title.c_str(), nullptr, kFlags)) {
    draw_path(context);
    const float line = ImGui::GetFrameHeightWithSpacing();
    const bool saves = words.saves;
    const bool ways = !question_ && context.workspace.session().anything_open();
    const float below = line * (saves || !question_ ? (ways ? 4.0f : 3.0f) : 2.0f) + (complaint_.empty() ? 0 : line);
    ImGui::BeginChild("places", {theme.px(kPlacesWidth), -below}, false);
    draw_places(context);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("list", {0, -below}, false, ImGuiWindowFlags_NoNav);
    draw_list(context);
    ImGui::EndChild();
    draw_filter(context);
    if (saves) {
      draw_name(context);
    } else if (!question_) {
      draw_part();
      if (ways) draw_ways(context);
    }
    if (!complaint_.empty()) {
      ImGui::PushStyleColor(ImGuiCol_Text, theme.warning);
      ImGui::TextUnformatted(complaint_.c_str());
      ImGui::PopStyleColor();
    }
    draw_buttons(context);
  }
  ImGui::End();
  take_keys(context);
}

void OpenDialog::draw_path(const PanelContext& context) {
  if (ImGui::Button("Up")) {
    browser_.go_up();
    read();
  }
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("The folder above (Backspace)");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-1);
  if (std::exchange(focus_path_, false)) ImGui::SetKeyboardFocusHere();
  const auto listed = completions_.get({std::string(folder_of(whole_path(typed_))) + "/", 0}, [](const Folder& f) { return list_folder(f.path); });
  static const FolderListing kNothing;
  const FolderListing& listing = listed.fresh && listed.value ? *listed.value : kNothing;
  constexpr ImGuiInputTextFlags kFlags =
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackAlways;
  const bool entered = text_box("##path", typed_, "", kFlags, [&](ImGuiInputTextCallbackData& data) {
    if (data.EventFlag == ImGuiInputTextFlags_CallbackCompletion) return complete(data, listing);
    // The box selects its text when it gets the keyboard; the next letter must not replace the key that began the path.
    if (!std::exchange(path_begun_, false)) return;
    data.ClearSelection();
    data.CursorPos = data.BufTextLen;
  });
  const bool active = ImGui::IsItemActive();
  if (active) {
    // Candidates for Tab.
    const std::vector<std::string> found = path_completions(with_home(typed_), listing);
    std::string text;
    for (std::size_t i = 0; i < std::min(found.size(), kMostCompletions); ++i) {
      std::string_view path = found[i];
      if (path.ends_with('/')) path.remove_suffix(1);
      text += (i ? "   " : "") + std::string(last_part(path));
    }
    if (found.size() > kMostCompletions) text += fmt::format("   and {} more", found.size() - kMostCompletions);
    if (!text.empty() && found.front() != typed_) {
      const ImVec2 at{ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y};
      ImDrawList& list = *ImGui::GetForegroundDrawList();
      const float most = ImGui::GetItemRectMax().x - at.x, line = ImGui::GetFontSize() * 1.5f;
      list.AddRectFilled(at, {at.x + most, at.y + line}, context.theme.header);
      draw_text_fitted(list, {at.x + 6, at.y + line * 0.15f}, most - 12, context.theme.text_dim, "Tab: " + text);
    }
  }
  if (!entered) return;
  const std::string path = std::filesystem::path(whole_path(typed_)).lexically_normal().string();
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    go(path);
  } else if (asks_to_save()) {
    name_ = path;
    save(context);
  } else if (asks_for_folder()) {
    complaint_ = path + " is not a folder";
  } else {
    open(context, {path});
  }
}

void OpenDialog::draw_places(const PanelContext& context) {
  const auto place = [&](const char* title, const std::string& folder) {
    if (folder.empty()) return;
    if (ImGui::Selectable(whole_label(title).c_str(), browser_.folder() == folder)) go(folder);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", folder.c_str());
  };
  std::error_code code;
  place("Home", home_folder());
  place("Working folder", std::filesystem::current_path(code).string());
  const std::vector<std::string>& paths = context.workspace.session().paths();
  if (!paths.empty()) place("What is open", std::string(folder_of(std::filesystem::absolute(paths.front(), code).string())));
  place("Computer", "/");
  const auto named = [&](const std::vector<std::string>& folders, const char* head) {
    if (folders.empty()) return;
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
    ImGui::TextUnformatted(head);
    ImGui::PopStyleColor();
    for (std::size_t i = 0; i < folders.size(); ++i) {
      ImGui::PushID(head);
      ImGui::PushID(static_cast<int>(i));
      place(std::string(last_part(folders[i])).c_str(), folders[i]);
      ImGui::PopID();
      ImGui::PopID();
    }
  };
  named(context.workspace.state().desk.recent_folders, "Recent");
  named(drives_, "Drives");
}

void OpenDialog::draw_filter(const PanelContext& context) {
  const FileKind& kind = words_of(question_ ? question_->purpose : FilePurpose::OpenTraces).kind;
  bool all = browser_.kind() == nullptr, hidden = browser_.hidden();
  if (ImGui::Checkbox("All files", &all)) browser_.set_kind(all ? nullptr : &kind);
  note_place("all");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("If off, shows only: %s", std::string(kind.title).c_str());
  ImGui::SameLine();
  if (ImGui::Checkbox("Hidden", &hidden)) browser_.set_hidden(hidden);
  note_place("hidden");
  ImGui::SameLine();
  std::string text = fmt::format("{} shown", browser_.size());
  if (browser_.left_out() > 0) text += fmt::format(", {} left out", browser_.left_out());
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  draw_keys(context);
}

// Fields by which only a part of large traces is loaded.
void OpenDialog::draw_part() {
  constexpr const char* kBoxes[] = {"ranks", "steps", "time"};
  constexpr const char* kHints[] = {"0..3,7", "60..70", "10s..20s"};
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Only");
  for (std::size_t i = 0; i < part_.size(); ++i) {
    ImGui::SameLine();
    ImGui::TextUnformatted(kBoxes[i]);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 7);
    text_box((std::string("##") + kBoxes[i]).c_str(), part_[i], kHints[i]);
    note_place(kBoxes[i]);
  }
  ImGui::SameLine();
  ImGui::TextDisabled("empty: all");
}

void OpenDialog::draw_ways(const PanelContext& context) {
  constexpr const char* kWays[] = {"Replace", "Add beside", "New tab"};
  constexpr std::string_view kNames[] = {"replace", "add", "new_tab"};
  for (std::size_t i = 0; i < std::size(kWays); ++i) {
    if (i) ImGui::SameLine();
    if (ImGui::RadioButton(kWays[i], how_ == static_cast<OpenHow>(i))) how_ = static_cast<OpenHow>(i);
    note_place(kNames[i]);
  }
  ImGui::SameLine();
  const std::string open = open_title(context.workspace.session().paths());
  ImGui::TextDisabled("%s %s", open.c_str(), how_ == OpenHow::Replace ? "is closed" : how_ == OpenHow::Add ? "shares the timeline" : "stays in its tab");
}

void OpenDialog::draw_name(const PanelContext& context) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Name");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-1);
  if (std::exchange(focus_name_, false)) ImGui::SetKeyboardFocusHere();
  if (text_box("##name", name_, "", ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll)) save(context);
  note_place("name");
}

void OpenDialog::draw_buttons(const PanelContext& context) {
  const bool saves = asks_to_save();
  const std::vector<std::string> paths = asks_for_folder() ? std::vector<std::string>{browser_.folder()} : browser_.chosen_paths();
  const bool several = paths.size() > 1;
  const std::string on = browser_.size() > 0 ? shortened_utf8(browser_.entry(browser_.line()).name, 30) : std::string();
  const std::string button = saves ? overwrite_.empty() ? "Save" : "Replace it" : asks_for_folder() ? std::string(words_of(question_->purpose).button) : several ? fmt::format("Open {}", paths.size()) : on.empty() ? "Open" : "Open " + on;
  ImGui::BeginDisabled(!saves && paths.empty());
  if (ImGui::Button((whole_label(button) + "###open").c_str())) saves ? save(context) : open(context, paths);
  ImGui::EndDisabled();
  note_place("open");
  if (!question_) {
    ImGui::SameLine();
    if (ImGui::Button("Open this folder")) open(context, {browser_.folder()});
  }
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) cancel(context);
  note_place("cancel");
}

// Draws the keys next to the filter, where only the smallest windows cut the line.
void OpenDialog::draw_keys(const PanelContext& context) const {
  const std::string_view keys = asks_to_save()      ? "Enter: save, Tab: list, Esc: cancel"
                                : asks_for_folder() ? "Enter: open folder, Backspace: up, letters: go to, /: path, Esc: cancel"
                                                    : "Enter: open, Backspace: up, Space: select, letters: go to, /: path, Esc: close";
  ImGui::SameLine(0, context.theme.px(20));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, width = std::ceil(text_width(keys)) + 1;
  draw_text_fitted(*ImGui::GetWindowDrawList(), {at.x + std::max(room - width, 0.0f), at.y}, std::min(room, width), context.theme.text_dim, keys);
  ImGui::Dummy({room, ImGui::GetFontSize()});
  if (room < width && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", keys.data());
}

void OpenDialog::enter(const PanelContext& context, std::size_t line) {
  if (line >= browser_.size()) return;
  if (browser_.entry(line).folder) {
    go(browser_.path(line));
  } else if (asks_to_save()) {
    name_ = browser_.entry(line).name;
    save(context);
  } else if (asks_for_folder()) {
    context.push(command::FilesChosen{question_->purpose, {browser_.folder()}});
  } else {
    open(context, {browser_.path(line)});
  }
}

void OpenDialog::open(const PanelContext& context, std::vector<std::string> paths) {
  if (question_) return context.push(command::FilesChosen{question_->purpose, std::move(paths)});
  const Result<LoadChoice> part = load_part(part_[0], part_[1], part_[2]);
  complaint_ = part ? "" : part.error().text();
  if (!part || paths.empty()) return;
  const bool all = part.value().everything();
  context.push(command::OpenPaths{std::move(paths), how_ == OpenHow::Add, how_ == OpenHow::NewTab,
                                  all ? std::nullopt : std::optional(part.value())});
}

void OpenDialog::save(const PanelContext& context) {
  if (name_.empty()) return;
  const std::string path = with_ending(question_->purpose, whole_path(name_));
  std::error_code code;
  if (overwrite_ != path && std::filesystem::exists(path, code)) {
    overwrite_ = path;
    complaint_ = std::string(last_part(path)) + " already exists: save again to replace it";
    return;
  }
  context.push(command::FilesChosen{question_->purpose, {path}});
}

void OpenDialog::cancel(const PanelContext& context) {
  if (question_) return context.push(command::FilesChosen{question_->purpose, {}});
  context.push(command::OpenDialog{});  // closes the dialog, because it is open
}

void OpenDialog::take_keys(const PanelContext& context) {
  const Keys& keys = context.keys;
  if (keys.text_input_active()) return;  // there, Interface::dispatch_keys handles Escape
  const auto typed = [&](Key key, std::uint8_t modifiers = kNoModifier) { return keys.typed(Chord{key, modifiers}); };
  const std::size_t before = browser_.line();
  for (const std::uint8_t shift : {kNoModifier, kShift}) {
    const bool extend = shift == kShift;
    if (typed(Key::Up, shift)) browser_.move(-1, extend);
    if (typed(Key::Down, shift)) browser_.move(1, extend);
    if (typed(Key::PageUp, shift)) browser_.move(-page_, extend);
    if (typed(Key::PageDown, shift)) browser_.move(page_, extend);
    if (typed(Key::Home, shift)) browser_.move_to(0, extend);
    if (typed(Key::End, shift) && browser_.size() > 0) browser_.move_to(browser_.size() - 1, extend);
  }
  if (typed(Key::Escape)) return cancel(context);
  if (typed(Key::A, kCtrl)) browser_.choose_all();
  if (typed(Key::H, kCtrl)) browser_.set_hidden(!browser_.hidden());
  if (typed(Key::Backspace) || typed(Key::Up, kAlt) || typed(Key::Left)) {
    browser_.go_up();
    read();
  } else if (typed(Key::Right) && browser_.size() > 0 && browser_.entry(before).folder) {
    enter(context, before);
  } else if (typed(Key::Enter)) {
    const std::vector<std::string> paths = browser_.chosen_paths();
    const bool opens_several = paths.size() > 1 && !asks_to_save() && !asks_for_folder();
    opens_several ? open(context, paths) : enter(context, browser_.line());
  } else if (typed(Key::Space)) {
    browser_.toggle(browser_.line());
  } else {
    std::string letters;
    for (const ImWchar character : ImGui::GetIO().InputQueueCharacters) {
      if (character == '/' || character == '~') {
        typed_ = character == '/' ? "/" : "~/";
        focus_path_ = path_begun_ = true;
        return;
      }
      if (character <= ' ' || character == 0x7f) continue;
      char utf8[8] = {};
      const ImWchar one[] = {character};
      ImTextStrToUtf8(utf8, sizeof(utf8), one, one + 1);
      letters += utf8;
    }
    if (!keys.ctrl() && !keys.alt()) browser_.type(letters, context.now_s);
  }
  if (browser_.line() != before) scroll_to_line_ = true;
}

}  // namespace tv
