// The files of a report: index.html, with the findings and all charts, needs no network; each chart has a picture and a CSV file.
// write() adds the files for programs, such as report.json. Files are named after their chart; if it is repeated for several steps,
// the file name contains the step. With --single, pictures and CSV are embedded in index.html.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/verbs/chart_png.h"
#include "core/analysis/findings/findings.h"
#include "core/io/written/new_file.h"
#include "core/view/charts/chart_kinds.h"

namespace tv {

struct ReportFinding {
  Finding finding;
  std::string anchor;  ///< anchor of the chart with more details: "steps", "cdf-step_3"; empty if the report has no such chart
  std::optional<Image> picture;  ///< the timeline at the finding's place
};

/// Distinguishes charts of the same kind: by a part of their file names and of their anchors, and by a title on the page. Both are
/// empty for a chart that is not repeated for several steps.
struct ReportStep {
  std::string suffix, title;  ///< "run_1-step_3", "run 1, step 3"
};

/// The top of the page.
struct ReportHead {
  std::string title;
  std::vector<std::string> lines;  ///< files, date, host; number of steps
};

class ReportFiles {
 public:
  /// Without a printer, pictures are SVG. A report never overwrites one of `inputs`.
  ReportFiles(std::filesystem::path folder, std::vector<std::string> inputs, std::optional<ChartPrinter> printer, bool single)
      : folder_(std::move(folder)), inputs_(std::move(inputs)), printer_(std::move(printer)), single_(single) {}

  Result<void> add(const ChartKind& kind, const Chart& chart, const ReportStep& step);
  /// Call after the last add(). Destroys the printer and its window, because only one window can exist at a time.
  void end_charts() { printer_.reset(); }
  /// The anchor of the kind's chart with this suffix, else of the kind's first chart; empty if there is no chart of the kind.
  std::string anchor_of(std::string_view kind, const std::string& suffix) const;
  Result<void> write_index(const ReportHead& head, const std::vector<ReportFinding>& found);
  Result<void> write(const std::string& name, const std::string& text);
  /// Renames the written files to their final names. Existing files of these names stay untouched until then.
  Result<void> finish();
  bool single() const { return single_; }
  /// One entry per chart: id, title, step, files, facts.
  const nlohmann::ordered_json& entries() const { return entries_; }

 private:
  struct Figure {
    std::string id;
    ReportStep step;
    std::string html;
  };
  struct Section {
    const ChartKind* kind;
    std::vector<Figure> figures;
  };
  /// Writes the bytes into a file next to index.html, or embeds them (--single). Returns the link to them.
  Result<std::string> write_or_embed(const std::string& name, const std::string& bytes, std::string_view type);
  std::string section_html(const Section& section, const std::set<std::string>& wanted) const;

  std::filesystem::path folder_;
  std::vector<std::string> inputs_;
  std::vector<NewFile> written_;
  std::optional<ChartPrinter> printer_;
  bool single_;
  std::vector<Section> sections_;
  nlohmann::ordered_json entries_ = nlohmann::ordered_json::array();
};

}  // namespace tv
