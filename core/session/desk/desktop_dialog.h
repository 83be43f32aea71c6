// Shows the desktop's own file dialog in the background, so that the window stays responsive. Uses the portal
// (core/io/system/desktop_bus.h), else zenity, else kdialog. File names are passed as program arguments, never through a shell,
// and come back unchanged, with blanks, quotes and newlines.
//
// TRACEVIEW_DIALOG=portal|zenity|kdialog allows only that one. =window allows none, so the window shows its own dialog.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/result.h"
#include "core/view/keys/file_choice.h"

namespace tv {

struct DialogPrograms {
  bool portal = false;
  std::string zenity, kdialog;  ///< paths; empty: not installed, or not allowed
  bool any() const { return portal || !zenity.empty() || !kdialog.empty(); }
};
DialogPrograms dialog_programs();

/// The command line of each program. The dialog starts in `folder`, which may end in a slash.
std::vector<std::string> zenity_command(const std::string& program, const FileQuestion& question, std::string_view folder);
std::vector<std::string> kdialog_command(const std::string& program, const FileQuestion& question, std::string_view folder);
/// The paths in the output of each program.
std::vector<std::string> zenity_answer(std::string_view printed);
std::vector<std::string> kdialog_answer(std::string_view printed, FilePurpose purpose);

class DesktopDialog {
 public:
  /// `wake` is called on another thread when there is an answer.
  DesktopDialog(DialogPrograms programs, std::function<void()> wake);

  bool available() const { return programs_.any(); }
  bool open() const;  ///< a dialog is on the screen
  /// Does nothing if a dialog is open already. `window`: the window that the portal's dialog belongs to (PortalQuestion).
  void ask(const FileQuestion& question, const std::string& folder, const std::string& window);

  struct Answer {
    FileQuestion question;
    std::vector<std::string> paths;  ///< or addresses (given_path.h); empty: the user cancelled
    bool failed = false;             ///< no dialog could be shown, so the window must show its own
  };
  /// The answer, once. None: there is none yet.
  std::optional<Answer> take();

 private:
  struct Shared {
    std::mutex mutex;
    std::optional<Answer> answer;
    bool open = false;
  };
  DialogPrograms programs_;
  std::function<void()> wake_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::jthread thread_;
};

}  // namespace tv
