// Shows the text of a file: the lines around the record of the selected slice, or around an example in the import report
// (core/session/records/source_lines.h). The selected line is highlighted, and a click on a line selects the slice that the line
// describes.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/threads/async_memo.h"
#include "core/session/records/source_lines.h"
#include "ui/panels/side_panel.h"
#include "ui/widgets/named_places.h"

namespace tv {

class TextPanel : public SidePanel {
 public:
  TextPanel(Workspace& workspace, std::function<void()> wake) : memo_(workspace.pool(), std::move(wake)) {}
  void draw(const PanelContext& context) override;

  bool busy() const override { return memo_.running(); }
  /// For scripts: the highlighted line and the number of lines in the last frame.
  std::string lit() const;
  std::size_t line_count() const { return drawn_ ? drawn_->lines.size() : 0; }
  /// "lit", "next", "previous": the centre of the highlighted, the next, the previous line.
  std::optional<ImVec2> place_of(std::string_view what) const override;

 private:
  struct Asked {
    std::shared_ptr<const Snapshot> snapshot;
    SliceId slice = kNone<SliceId>;
    std::optional<TextPlace> place;  ///< a place in a file, instead of a slice
    bool operator==(const Asked&) const = default;
  };
  void draw_lines(const PanelContext& context, const SourceLines& lines, bool scroll);

  AsyncMemo<Asked, Result<SourceLines>> memo_;
  std::optional<SourceLines> drawn_;
  Asked drawn_of_;
  NamedPlaces places_;
};

}  // namespace tv
