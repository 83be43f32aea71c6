#include "app/verbs/statistics_json.h"

#include <cmath>
#include <variant>

#include "app/terminal/json_value.h"
#include "core/view/words/statistics_figures.h"

namespace tv {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(std::int64_t number) { return number; }
// NaN means too few slices for the figure (statistics_figures.h). JSON has no NaN.
Json json_of(double number) { return std::isnan(number) ? 0 : number; }

}  // namespace

Json figures_json(const LabelStats& row, const RangeStats& all) {
  Json out = Json::object();
  for (const StatisticsFigure& figure : statistics_figures()) {
    if (figure.json.empty()) continue;
    out[std::string(figure.json)] = std::visit([](auto value) { return json_of(value); }, figure.of(row, all));
  }
  return out;
}

Json label_stats_json(const Trace& trace, const RangeStats& stats, std::size_t rows) {
  Json out = Json::array();
  for (std::size_t i = 0; i < rows; ++i) {
    const LabelStats& row = stats.labels[i];
    Json& entry = out.emplace_back(Json{{"name", json_value(counted_name(trace.labels, row.label))},
                                        {"category", json_value(trace.labels.category(row.label))}});
    entry.update(figures_json(row, stats));
  }
  return out;
}

}  // namespace tv
