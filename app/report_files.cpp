#include "app/report_files.h"

#include <fmt/format.h>

#include "core/io/new_file.h"
#include "core/view/chart_cell.h"
#include "core/view/chart_csv.h"
#include "core/view/chart_svg.h"

namespace tv {
namespace {

constexpr ChartPrint kPrint = {1000, 560, 2, ThemeKind::Light};
constexpr std::size_t kRowsShown = 30;  // of a table in the index; its CSV has all

constexpr const char* kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 1080px; padding: 24px; color: #1b1f27; background: #fff; }
h1 { font-size: 24px; } h2 { font-size: 19px; margin-top: 40px; border-bottom: 1px solid #d8dce3; }
img { width: 100%; height: auto; } figure { margin: 16px 0 28px; } figcaption { color: #5a6270; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 8px 0; }
td, th { padding: 2px 10px; border-bottom: 1px solid #e5e8ee; text-align: left; } .n { text-align: right; }
nav a { margin-right: 14px; } a { color: #2458c5; }
</style>
)";

std::string table_html(const ChartTable& table) {
  std::string html = "<table><tr>";
  const auto cell = [&](const char* tag, std::size_t column, const std::string& text) {
    html +=
        fmt::format("<{0}{1}>{2}</{0}>", tag, table.columns[column].number ? " class=\"n\"" : "", xml_escaped(text));
  };
  for (std::size_t c = 0; c < table.columns.size(); ++c) cell("th", c, table.columns[c].title);
  html += "</tr>\n";
  for (std::size_t r = 0; r < std::min(table.rows.size(), kRowsShown); ++r) {
    html += "<tr>";
    for (std::size_t c = 0; c < table.columns.size() && c < table.rows[r].size(); ++c) cell("td", c, table.rows[r][c].text);
    html += "</tr>\n";
  }
  html += "</table>\n";
  if (table.rows.size() > kRowsShown) html += fmt::format("<p>... {} rows in all</p>\n", table.rows.size());
  return html;
}

}  // namespace

Result<void> ReportFiles::write(const std::string& name, const std::string& text) const {
  auto file = NewFile::create((folder_ / name).string());
  if (!file) return file.error();
  if (auto written = file.value().append(text); !written) return written.error();
  return file.value().commit();
}

Result<void> ReportFiles::add(const ChartKind& kind, const Chart& chart, const std::string& suffix) {
  const std::string name = suffix.empty() ? chart.id : chart.id + "-" + suffix;
  nlohmann::ordered_json entry = {{"id", chart.id}, {"kind", kind.id}, {"title", chart.title}};
  if (!suffix.empty()) entry["of"] = suffix;
  if (kind_ != kind.id) {
    body_ +=
        fmt::format("<h2 id=\"{0}\">{1}</h2>\n<p>{2}</p>\n", kind.id, xml_escaped(kind.title), xml_escaped(kind.hint));
    contents_ += fmt::format("<a href=\"#{}\">{}</a>\n", kind.id, xml_escaped(kind.title));
    kind_ = kind.id;
  }
  body_ += "<figure>\n";
  const bool picture = !chart.series.empty() || chart.cells || !chart.table;
  if (picture && chart.empty.empty()) {
    const std::string file = name + (printer_ ? ".png" : ".svg");
    if (printer_) {
      if (auto printed = printer_->print(chart, kPrint, folder_ / file); !printed) return printed.error();
    } else {
      ChartFrame frame;
      frame.width = kPrint.width;
      frame.height = kPrint.height;
      frame.theme = kPrint.theme;
      if (auto written = write(file, chart_svg(chart_picture(chart, frame))); !written) return written.error();
    }
    entry["picture"] = file;
    body_ += fmt::format("<img src=\"{}\" alt=\"{}\" loading=\"lazy\">\n", xml_escaped(file), xml_escaped(chart.title));
    if (auto written = write(name + ".csv", chart_csv(chart)); !written) return written.error();
    entry["csv"] = name + ".csv";
  } else {
    body_ += fmt::format("<h3>{}</h3>\n", xml_escaped(chart.title));
    if (!chart.empty.empty()) body_ += fmt::format("<p>{}</p>\n", xml_escaped(chart.empty));
  }
  if (chart.table) {
    if (auto written = write(name + "-table.csv", table_csv(*chart.table)); !written) return written.error();
    entry["table_csv"] = name + "-table.csv";
    body_ += table_html(*chart.table);
  }
  if (!chart.empty.empty()) entry["empty"] = chart.empty;
  for (const auto& [fact, value] : chart.facts) {
    const std::string full = value.unit.empty() ? fact : fmt::format("{} ({})", fact, value.unit);
    const double* const number = std::get_if<double>(&value.full);
    entry["facts"][full] = number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(full_text(value));
  }
  body_ += fmt::format("<figcaption>{}", xml_escaped(chart.note));
  for (const char* key : {"csv", "table_csv"}) {
    if (entry.contains(key))
      body_ += fmt::format(" <a href=\"{0}\">{0}</a>", xml_escaped(entry[key].get<std::string>()));
  }
  body_ += "</figcaption>\n</figure>\n";
  entries_.push_back(std::move(entry));
  return {};
}

Result<void> ReportFiles::write_index(const std::string& title, const std::string& summary) {
  return write(
      "index.html",
      fmt::format("{}<title>{}</title></head>\n<body>\n<h1>{}</h1>\n<p>{}</p>\n<nav>{}</nav>\n{}</body></html>\n",
                  kHead, xml_escaped(title), xml_escaped(title), xml_escaped(summary), contents_, body_));
}

}  // namespace tv
