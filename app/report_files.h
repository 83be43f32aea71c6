// The files of a report: each chart as a picture and as CSV, an index.html that shows them all and needs no network, and what
// is to be said of them in report.json. Names are those of the charts; a chart that comes again for another step has the step
// in its name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/chart_png.h"
#include "core/view/chart_kinds.h"

namespace tv {

class ReportFiles {
 public:
  /// Without a printer pictures are SVG.
  ReportFiles(std::filesystem::path folder, std::optional<ChartPrinter> printer)
      : folder_(std::move(folder)), printer_(std::move(printer)) {}

  /// `suffix`: what tells this one from others of its kind, "step_3".
  Result<void> add(const ChartKind& kind, const Chart& chart, const std::string& suffix);
  Result<void> write_index(const std::string& title, const std::string& summary);
  Result<void> write(const std::string& name, const std::string& text) const;
  /// An entry per chart: id, title, step, files, facts.
  const nlohmann::ordered_json& entries() const { return entries_; }

 private:
  std::filesystem::path folder_;
  std::optional<ChartPrinter> printer_;
  std::string body_, contents_;
  std::string_view kind_;  ///< of the last chart
  nlohmann::ordered_json entries_ = nlohmann::ordered_json::array();
};

}  // namespace tv
