// The desktop's own file dialog, in the background while the window stays responsive: the portal (core/io/system/desktop_bus.h),
// else zenity, else kdialog, whichever is found at run time. File names are passed as program arguments, never through a shell, and
// come back unchanged, with blanks, quotes and newlines.
//
// TRACEVIEW_DIALOG=portal|zenity|kdialog allows only that one; =window none of them: the dialog in the window is used.
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
  std::string zenity, kdialog;  ///< paths; empty: not installed
  bool any() const { return portal || !zenity.empty() || !kdialog.empty(); }
};
DialogPrograms dialog_programs();

/// The command line of each; `folder` is where the dialog starts, with or without a trailing slash.
std::vector<std::string> zenity_command(const std::string& program, const FileQuestion& question, std::string_view folder);
std::vector<std::string> kdialog_command(const std::string& program, const FileQuestion& question, std::string_view folder);
/// Parses the programs' output.
std::vector<std::string> zenity_answer(std::string_view printed);
std::vector<std::string> kdialog_answer(std::string_view printed, FilePurpose purpose);

class DesktopDialog {
 public:
  /// `wake` is called on another thread when there is an answer.
  DesktopDialog(DialogPrograms programs, std::function<void()> wake);

  bool available() const { return programs_.any(); }
  bool open() const;
  /// Does nothing if a dialog is open already.
  void ask(const FileQuestion& question, const std::string& folder, const std::string& window);

  struct Answer {
    FileQuestion question;
    std::vector<std::string> paths;  ///< or addresses (given_path.h); empty: the user cancelled
    bool failed = false;             ///< no dialog could be shown: ask in the window
  };
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
