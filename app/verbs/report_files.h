// The files of a report: a first page that says what was found, each chart as a picture and as CSV, an index.html that
// shows them all and needs no network, and what is to be said of them in report.json. Names are those of the charts; a
// chart that comes again for another step has the step in its name. Of a single file pictures and CSV are in index.html
// itself.
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
  std::string anchor;            ///< of the chart that shows more: "steps", "cdf-step_3"; empty: none is in the report
  std::optional<Image> picture;  ///< of the timeline there
};

/// What stands at the top of the page.
struct ReportHead {
  std::string title;
  std::vector<std::string> lines;  ///< files, date, host; how many steps
};

class ReportFiles {
 public:
  /// Without a printer pictures are SVG. None of `inputs` is written over.
  ReportFiles(std::filesystem::path folder, std::vector<std::string> inputs, std::optional<ChartPrinter> printer, bool single)
      : folder_(std::move(folder)), inputs_(std::move(inputs)), printer_(std::move(printer)), single_(single) {}

  /// `suffix`: what tells this one from others of its kind, "step_3".
  Result<void> add(const ChartKind& kind, const Chart& chart, const std::string& suffix);
  /// There are no more: the printer's window goes, since there is one at a time.
  void end_charts() { printer_.reset(); }
  /// The id of the first chart of a kind, for a step where there are several; empty: there is none.
  std::string anchor_of(std::string_view kind, const std::string& suffix) const;
  Result<void> write_index(const ReportHead& head, const std::vector<ReportFinding>& found);
  Result<void> write(const std::string& name, const std::string& text);
  /// Puts all of them in their places; until then none is there.
  Result<void> finish();
  bool single() const { return single_; }
  /// An entry per chart: id, title, step, files, facts.
  const nlohmann::ordered_json& entries() const { return entries_; }

 private:
  struct Figure {
    std::string id, suffix, html;
  };
  struct Section {
    const ChartKind* kind;
    std::vector<Figure> figures;
  };
  /// Written beside index.html, or as part of it: what a link to it is.
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
