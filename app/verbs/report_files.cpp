#include "app/verbs/report_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/stage/png.h"
#include "app/verbs/chart_words.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/chart/chart_csv.h"
#include "core/view/picture/chart_svg.h"

namespace tv {
namespace {

constexpr ChartPrint kPrint = {1000, 560, 2, ThemeKind::Light, false};  // without a note: the page shows it
constexpr std::size_t kRowsShown = 30;  // rows of a table in index.html; its CSV has all

constexpr const char* kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="generator" content="traceview">
<meta name="viewport" content="width=device-width">
<style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 1080px; padding: 24px; color: #1b1f27; background: #fff;
  overflow-wrap: anywhere; }
h1 { font-size: 24px; margin-bottom: 4px; } h2 { font-size: 19px; display: inline; }
summary { cursor: pointer; margin-top: 18px; padding: 6px 0; border-bottom: 1px solid #d8dce3; }
summary span, .dim, figcaption { color: #5a6270; } details details { margin-left: 12px; }
img { width: 100%; height: auto; } figure { margin: 16px 0 28px; } .wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 8px 0; overflow-wrap: normal; }
td, th { padding: 2px 10px; border-bottom: 1px solid #e5e8ee; text-align: left; } .n { text-align: right; white-space: nowrap; }
nav a { margin-right: 14px; } a { color: #2458c5; }
.found { list-style: none; padding: 0; } .found li { border-left: 5px solid #aeb6c2; padding: 4px 12px; margin: 14px 0; }
.found li.costly { border-color: #c0392b; } .found li.notable { border-color: #e5750e; }
.found img { border: 1px solid #d8dce3; margin-top: 6px; }
</style>
)";

// Unfolds the target of a link, and scrolls to it.
constexpr const char* kScript = R"(<script>
function unfold() {
  const at = location.hash && document.getElementById(location.hash.slice(1));
  for (let e = at; e; e = e.parentElement) if (e.tagName == 'DETAILS') e.open = true;
  if (at) at.scrollIntoView();
}
addEventListener('hashchange', unfold); unfold();
</script>
)";

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return k < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[k])) : 0u;
    };
    const std::uint32_t three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63];
    }
  }
  return out;
}

std::string table_html(const ChartTable& table) {
  std::string html = "<div class=\"wide\"><table><tr>";
  // Hovering shows the full text of a shortened cell.
  const auto cell = [&](const char* tag, std::size_t column, const std::string& text, const std::string& whole) {
    const std::string hover = whole == text ? std::string() : fmt::format(" title=\"{}\"", xml_escaped(whole));
    html += fmt::format("<{0}{1}{2}>{3}</{0}>", tag, table.columns[column].number ? " class=\"n\"" : "", hover,
                        xml_escaped(text));
  };
  for (std::size_t c = 0; c < table.columns.size(); ++c) cell("th", c, table.columns[c].title, table.columns[c].title);
  html += "</tr>\n";
  for (std::size_t r = 0; r < std::min(table.rows.size(), kRowsShown); ++r) {
    html += "<tr>";
    for (std::size_t c = 0; c < table.columns.size() && c < table.rows[r].size(); ++c) {
      const ChartCell& value = table.rows[r][c];
      const std::string* const whole = std::get_if<std::string>(&value.full);
      cell("td", c, value.text, whole ? *whole : value.text);
    }
    html += "</tr>\n";
  }
  html += "</table></div>\n";
  if (table.rows.size() > kRowsShown) html += fmt::format("<p>... {} rows in all</p>\n", table.rows.size());
  return html;
}

}  // namespace

Result<void> ReportFiles::write(const std::string& name, const std::string& text) {
  const std::string path = (folder_ / name).string();
  if (auto free = check_not_input(path, inputs_); !free) return free;
  auto file = NewFile::create(path);
  if (!file) return file.error();
  if (auto written = file->append(text); !written) return written;
  if (auto closed = file->close(); !closed) return closed;
  written_.push_back(std::move(*file));
  return {};
}

Result<void> ReportFiles::finish() {
  const AllOrNone together;
  for (NewFile& file : written_) {
    if (auto placed = file.commit(); !placed) return placed;
  }
  return {};
}

Result<std::string> ReportFiles::write_or_embed(const std::string& name, const std::string& bytes, std::string_view type) {
  if (single_) return fmt::format("data:{};base64,{}", type, base64(bytes));
  if (auto written = write(name, bytes); !written) return written.error();
  return name;
}

Result<void> ReportFiles::add(const ChartKind& kind, const Chart& chart, const ReportStep& step) {
  const std::string name = step.suffix.empty() ? chart.id : chart.id + "-" + step.suffix;
  nlohmann::ordered_json entry = {{"id", chart.id}, {"kind", kind.id}, {"title", chart.title}};
  if (!step.suffix.empty()) entry["of"] = step.suffix;
  if (sections_.empty() || sections_.back().kind != &kind) sections_.push_back({&kind, {}});
  std::string html = fmt::format("<figure id=\"{}\">\n", xml_escaped(name)), links;
  const auto link = [&](const char* key, const std::string& file, const std::string& text) -> Result<void> {
    auto made = write_or_embed(file, text, "text/csv");
    if (!made) return made.error();
    if (!single_) entry[key] = file;
    links += fmt::format(" <a href=\"{}\" download=\"{}\">{}</a>", xml_escaped(made.value()), xml_escaped(file),
                         xml_escaped(file));
    return {};
  };
  const bool picture = !chart.series.empty() || chart.cells || !chart.table;
  if (picture && chart.empty.empty()) {
    std::string bytes;
    if (printer_) {
      auto image = printer_->picture(chart, kPrint);
      if (!image) return image.error();
      bytes = png_bytes(*image);
    } else {
      ChartFrame frame;
      frame.width = kPrint.width;
      frame.height = kPrint.height;
      frame.theme = kPrint.theme;
      bytes = chart_svg(chart_picture(chart, frame));
    }
    const std::string file = name + (printer_ ? ".png" : ".svg");
    auto made = write_or_embed(file, bytes, printer_ ? "image/png" : "image/svg+xml");
    if (!made) return made.error();
    if (!single_) entry["picture"] = file;
    html += fmt::format("<img src=\"{}\" alt=\"{}\" loading=\"lazy\">\n", xml_escaped(made.value()),
                        xml_escaped(chart.title));
    if (auto linked = link("csv", name + ".csv", chart_csv(chart)); !linked) return linked;
  } else {
    html += fmt::format("<h3>{}</h3>\n", xml_escaped(chart.title));
    if (!chart.empty.empty()) html += fmt::format("<p>{}</p>\n", xml_escaped(chart.empty));
  }
  if (chart.table) {
    if (auto linked = link("table_csv", name + "-table.csv", table_csv(*chart.table)); !linked) return linked;
    html += table_html(*chart.table);
  }
  if (!chart.empty.empty()) entry["empty"] = chart.empty;
  if (!chart.facts.empty()) entry["facts"] = facts_json(chart);
  html += fmt::format("<figcaption>{}{}</figcaption>\n</figure>\n", xml_escaped(chart.note), links);
  sections_.back().figures.push_back({name, step, std::move(html)});
  entries_.push_back(std::move(entry));
  return {};
}

std::string ReportFiles::anchor_of(std::string_view kind, const std::string& suffix) const {
  for (const Section& section : sections_) {
    if (section.kind->id != kind || section.figures.empty()) continue;
    const auto of_step = std::ranges::find_if(section.figures, [&](const Figure& figure) { return figure.step.suffix == suffix; });
    return (of_step == section.figures.end() ? section.figures.front() : *of_step).id;
  }
  return {};
}

// The section is folded, unless a finding refers to one of its charts or there are at most two sections. If a chart has several
// steps, each step can be unfolded separately.
std::string ReportFiles::section_html(const Section& section, const std::set<std::string>& wanted) const {
  const bool open = sections_.size() <= 2 || std::ranges::any_of(section.figures, [&](const Figure& figure) {
                      return wanted.contains(figure.id);
                    });
  std::string html =
      fmt::format("<details id=\"section-{0}\"{1}><summary><h2>{2}</h2> <span>{3}</span></summary>\n", section.kind->id,
                  open ? " open" : "", xml_escaped(section.kind->title), xml_escaped(section.kind->hint));
  const bool steps = section.figures.size() > 1 && section.figures.front().step.suffix != section.figures.back().step.suffix;
  for (std::size_t f = 0; f < section.figures.size();) {
    const ReportStep& step = section.figures[f].step;
    std::size_t end = f;
    bool inner_open = false;
    std::string figures;
    for (; end < section.figures.size() && section.figures[end].step.suffix == step.suffix; ++end) {
      inner_open |= wanted.contains(section.figures[end].id);
      figures += section.figures[end].html;
    }
    html += steps && !step.title.empty() ? fmt::format("<details{}><summary>{}</summary>\n{}</details>\n",
                                                       inner_open ? " open" : "", xml_escaped(step.title), figures)
                                         : figures;
    f = end;
  }
  return html + "</details>\n";
}

Result<void> ReportFiles::write_index(const ReportHead& head, const std::vector<ReportFinding>& found) {
  std::string page, contents, body;
  std::set<std::string> wanted;
  for (std::size_t f = 0; f < found.size(); ++f) {
    const ReportFinding& one = found[f];
    if (one.finding.level != FindingLevel::Note) wanted.insert(one.anchor);
    page += fmt::format("<li class=\"{}\">{}", name(one.finding.level), xml_escaped(one.finding.sentence));
    if (!one.anchor.empty()) page += fmt::format(" <a href=\"#{}\">See the chart</a>", xml_escaped(one.anchor));
    if (one.picture) {
      auto made = write_or_embed(fmt::format("finding-{}.png", f + 1), png_bytes(*one.picture), "image/png");
      if (!made) return made.error();
      page += fmt::format("<img src=\"{}\" alt=\"The timeline there\">", xml_escaped(made.value()));
    }
    page += "</li>\n";
  }
  for (const Section& section : sections_) {
    contents += fmt::format("<a href=\"#section-{}\">{}</a>\n", section.kind->id, xml_escaped(section.kind->title));
    body += section_html(section, wanted);
  }
  std::string lines;
  for (const std::string& line : head.lines) lines += fmt::format("<div class=\"dim\">{}</div>\n", xml_escaped(line));
  std::string first =
      page.empty() ? std::string() : fmt::format("<h2>What was found</h2>\n<ul class=\"found\">\n{}</ul>\n", page);
  return write(
      "index.html",
      fmt::format("{0}<title>{1}</title></head>\n<body>\n<h1>{1}</h1>\n{2}{3}<nav>{4}</nav>\n{5}{6}</body></html>\n",
                  kHead, xml_escaped(head.title), lines, first, contents, body, kScript));
}

}  // namespace tv
