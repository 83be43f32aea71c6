#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/natural_less.h"
#include "ui/panels/side_panels.h"

namespace tv {
namespace fs = std::filesystem;
namespace {

std::string size_text(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (size >= 1e9) return fmt::format("{:.1f} GB", size / 1e9);
  if (size >= 1e6) return fmt::format("{:.1f} MB", size / 1e6);
  return fmt::format("{:.1f} kB", size / 1e3);
}

}  // namespace

void OpenDialog::list() {
  listed_ = true;
  error_.clear();
  entries_.clear();
  std::error_code code;
  if (folder_.empty()) folder_ = fs::current_path(code).string();
  fs::directory_iterator at(folder_, fs::directory_options::skip_permission_denied, code);
  for (; !code && at != fs::directory_iterator(); at.increment(code)) {
    std::error_code ignored;
    std::string name = at->path().filename().string();
    if (name.starts_with('.')) continue;
    const bool folder = at->is_directory(ignored);
    entries_.push_back({std::move(name), folder, folder ? 0 : static_cast<std::uint64_t>(at->file_size(ignored))});
  }
  if (code) error_ = code.message();
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.folder != b.folder ? a.folder : natural_less(a.name, b.name);
  });
  chosen_.assign(entries_.size(), false);
  typed_ = folder_;
}

void OpenDialog::draw(const PanelContext& context, const Area& window) {
  if (!listed_) list();
  const float width = std::min(window.width - context.theme.px(60), context.theme.px(760));
  const float height = std::min(window.height - context.theme.px(60), context.theme.px(560));
  ImGui::SetNextWindowPos({window.x + (window.width - width) / 2, window.y + (window.height - height) / 2});
  ImGui::SetNextWindowSize({width, height});
  const char* title = context.workspace.dialog_adds() ? "Open beside what is open" : "Open files or a folder";
  if (ImGui::Begin(title, nullptr, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings)) {
    const auto go = [&](std::string folder) {
      folder_ = std::move(folder);
      listed_ = false;
    };
    const auto open = [&](std::vector<std::string> paths) {
      context.push(command::OpenPaths{std::move(paths), context.workspace.dialog_adds(), context.workspace.dialog().new_tab});
      listed_ = false;
    };
    char buffer[1024];
    typed_.copy(buffer, sizeof(buffer) - 1);
    buffer[std::min(typed_.size(), sizeof(buffer) - 1)] = '\0';
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputText("##path", buffer, sizeof(buffer), ImGuiInputTextFlags_EnterReturnsTrue)) {
      if (fs::is_directory(buffer)) {
        go(buffer);
      } else {
        open({buffer});
      }
    }
    typed_ = buffer;
    if (!error_.empty()) ImGui::TextUnformatted(error_.c_str());
    ImGui::BeginChild("entries", {0, -context.theme.px(40)}, true);
    if (ImGui::Selectable(".. (folder above)", false, ImGuiSelectableFlags_AllowDoubleClick) &&
        ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
      go(fs::path(folder_).parent_path().string());
    }
    for (std::size_t i = 0; listed_ && i < entries_.size(); ++i) {
      const Entry& entry = entries_[i];
      const std::string label = entry.folder ? entry.name + "/"
                                             : fmt::format("{}   {}", entry.name, size_text(entry.bytes));
      if (!ImGui::Selectable(label.c_str(), chosen_[i], ImGuiSelectableFlags_AllowDoubleClick)) continue;
      if (!ImGui::GetIO().KeyCtrl) chosen_.assign(entries_.size(), false);
      chosen_[i] = !chosen_[i];
      if (!ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) continue;
      const std::string path = (fs::path(folder_) / entry.name).string();
      if (entry.folder) {
        go(path);
      } else {
        open({path});
      }
      break;
    }
    ImGui::EndChild();
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (chosen_[i]) paths.push_back((fs::path(folder_) / entries_[i].name).string());
    }
    const std::string button = paths.empty() ? "Open this folder" : fmt::format("Open {}", paths.size());
    if (ImGui::Button(button.c_str())) open(paths.empty() ? std::vector<std::string>{folder_} : paths);
    ImGui::SameLine();
    if (ImGui::Button("Cancel")) context.push(command::ClearSelection{});
    ImGui::SameLine();
    ImGui::TextUnformatted("Ctrl+click chooses several; double-click enters a folder");
  }
  ImGui::End();
}

}  // namespace tv
