// The files of a report: index.html with the findings and all charts, which needs no network; a picture and CSV of each chart;
// report.json with the facts of the charts. Files are named after their chart; if it is repeated for several steps, the file name
// contains the step. With --single, pictures and CSV are embedded in index.html.
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

  /// `suffix`, such as "step_3", distinguishes charts of the same kind.
  Result<void> add(const ChartKind& kind, const Chart& chart, const std::string& suffix);
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
    std::string id, suffix, html;
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
