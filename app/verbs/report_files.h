// The files of a report: index.html with the findings and all charts, which needs no network; each chart as a picture and as CSV;
// report.json with the charts' facts. Files are named after the charts; a chart that is repeated for another step has the step in
// its name. With --single, pictures and CSV are embedded in index.html.
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
  std::string anchor;            ///< of the chart with more details: "steps", "cdf-step_3"; empty: none is in the report
  std::optional<Image> picture;  ///< of the timeline at that place
};

/// The top of the page.
struct ReportHead {
  std::string title;
  std::vector<std::string> lines;  ///< files, date, host; number of steps
};

class ReportFiles {
 public:
  /// Without a printer, pictures are SVG. Never overwrites one of `inputs`.
  ReportFiles(std::filesystem::path folder, std::vector<std::string> inputs, std::optional<ChartPrinter> printer, bool single)
      : folder_(std::move(folder)), inputs_(std::move(inputs)), printer_(std::move(printer)), single_(single) {}

  /// `suffix`: distinguishes charts of the same kind, "step_3".
  Result<void> add(const ChartKind& kind, const Chart& chart, const std::string& suffix);
  /// Call after the last add(): destroys the printer and its window, because only one window can exist at a time.
  void end_charts() { printer_.reset(); }
  /// The id of the kind's chart with this suffix, else of its first chart; empty if it has none.
  std::string anchor_of(std::string_view kind, const std::string& suffix) const;
  Result<void> write_index(const ReportHead& head, const std::vector<ReportFinding>& found);
  Result<void> write(const std::string& name, const std::string& text);
  /// Renames all files to their final names; until then nothing changes there.
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
  /// Writes it next to index.html, or embeds it. Returns the link to it.
  Result<std::string> put(const std::string& name, const std::string& bytes, std::string_view type);
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
