// The dialog that exports a part of the open trace for other programs: the user chooses time, lanes, format and file. It also shows
// the equivalent command line. The export runs in the background, and continues if the dialog is closed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/export/export_job.h"
#include "ui/panels/panel.h"
#include "ui/widgets/area.h"
#include "ui/widgets/named_places.h"

namespace tv {

class ExportDialog {
 public:
  enum class Part { Everything, View, SelectedArea };

  /// `wake` is called on any thread when something has changed.
  explicit ExportDialog(std::function<void()> wake) : wake_(std::move(wake)) {}

  void toggle(const Workspace& workspace);
  void close() { open_ = false; }
  bool open() const { return open_; }
  void draw(const PanelContext& context, const Area& window);
  /// How an export ended, as a sentence, once; empty: no export has ended since the last call.
  std::string take_message();
  bool running() const { return job_ && job_->running(); }
  /// The chosen export, as an order and as a command line.
  ExportOrder order(const Workspace& workspace) const;
  std::string command_line(const Workspace& workspace) const;
  /// Position of a widget in the last frame, for scripts: "write", "cancel", "part view", "lanes shown", "format csv".
  std::optional<ImVec2> place_of(std::string_view widget) const;

 private:
  std::optional<TimeRange> range(const Workspace& workspace) const;
  std::vector<bool> lanes(const Workspace& workspace) const;
  bool radio(const char* title, std::string_view place, bool on);
  void draw_choices(const PanelContext& context);
  void draw_file(const PanelContext& context);
  void draw_progress(const PanelContext& context);
  void begin(const PanelContext& context);

  std::function<void()> wake_;
  bool open_ = false, typed_ = false;  // typed_: the user has typed the file name
  Part part_ = Part::Everything;
  bool shown_lanes_ = false;
  ExportFormat format_ = ExportFormat::Chrome;
  std::string file_;
  bool reported_ = true;  // take_message() has returned the result of job_
  std::unique_ptr<ExportJob> job_;
  NamedPlaces places_;
};

}  // namespace tv
