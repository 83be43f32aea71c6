// A table's state as JSON: {"sort": [{"column": "self", "falling": true}], "filter": "gemm", "columns": [{"column": "name",
// "width": 12.5, "hidden": true}]}. Missing and invalid values count as not chosen.
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>

#include "core/view/table/table_model.h"

namespace tv {

inline nlohmann::ordered_json json_of(const TableState& state) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const TableSort& key : state.sort) out["sort"].push_back({{"column", key.column}, {"falling", key.falling}});
  if (!state.filter.empty()) out["filter"] = state.filter;
  for (const ColumnState& column : state.columns) {
    nlohmann::ordered_json one = {{"column", column.id}};
    // Tenths of a letter suffice: finer differences are not visible.
    if (column.width > 0) one["width"] = std::round(static_cast<double>(column.width) * 10) / 10;
    if (column.hidden) one["hidden"] = true;
    out["columns"].push_back(std::move(one));
  }
  return out;
}

inline TableState table_state_of(const nlohmann::json& json) {
  constexpr std::size_t kMost = 200;
  constexpr double kWidest = 1000;
  TableState out;
  if (!json.is_object()) return out;
  const auto text = [](const nlohmann::json& of, const char* key) {
    const auto at = of.is_object() ? of.find(key) : of.end();
    return at != of.end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  const auto yes = [](const nlohmann::json& of, const char* key) {
    const auto at = of.find(key);
    return at != of.end() && at->is_boolean() && at->get<bool>();
  };
  const auto each = [&](const char* key, const auto& take) {
    const auto at = json.find(key);
    if (at == json.end() || !at->is_array()) return;
    for (std::size_t i = 0; i < at->size() && i < kMost; ++i) {
      const std::string column = text((*at)[i], "column");
      if (!column.empty()) take(column, (*at)[i]);
    }
  };
  each("sort", [&](const std::string& column, const nlohmann::json& of) {
    if (out.sort.size() < 2) out.sort.push_back({column, yes(of, "falling")});
  });
  out.filter = text(json, "filter");
  each("columns", [&](const std::string& column, const nlohmann::json& of) {
    const auto at = of.find("width");
    const double width = at != of.end() && at->is_number() ? at->get<double>() : 0;
    out.columns.push_back({column, yes(of, "hidden"), static_cast<float>(width > 0 && width < kWidest ? width : 0)});
  });
  return out;
}

}  // namespace tv
