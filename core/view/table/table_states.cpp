#include "core/view/table/table_states.h"

#include "core/base/text/parse_json.h"
#include "core/view/table/table_json.h"

namespace tv {

const TableStates::Kept* TableStates::find(std::string_view table) const {
  const auto found = tables_.find(table);
  return found == tables_.end() ? nullptr : &found->second;
}

void TableStates::keep(const std::string& table, TableState state) { tables_[table] = {std::move(state), ++version_, true}; }

void TableStates::replace(const KeptTables& tables) {
  tables_.clear();
  for (const auto& [id, state] : tables) tables_[id] = {state, ++version_, false};
}

void TableStates::begin_with(const KeptTables& tables) {
  for (const auto& [id, state] : tables) {
    if (!find(id)) tables_[id] = {state, ++version_, false};
  }
}

KeptTables TableStates::all() const {
  KeptTables out;
  for (const auto& [id, choices] : tables_) out.emplace_back(id, choices.state);
  return out;
}

KeptTables TableStates::defaults() const {
  KeptTables out;
  for (const auto& [id, choices] : tables_) {
    if (!choices.by_user) continue;
    out.emplace_back(id, choices.state).second.filter.clear();
  }
  return out;
}

std::string tables_text(const KeptTables& tables) {
  nlohmann::ordered_json out = {{"traceview_tables", 1}, {"tables", nlohmann::ordered_json::object()}};
  for (const auto& [id, state] : tables) out["tables"][id] = json_of(state);
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<KeptTables> tables_from(std::string_view text) {
  const nlohmann::json parsed = parse_json(text);
  const bool known = parsed.is_object() && parsed.value("traceview_tables", nlohmann::json()) == 1 && parsed.contains("tables") &&
                     parsed["tables"].is_object();
  if (!known) return Error{"this text does not hold the settings of tables", {}, {}, {}};
  KeptTables out;
  for (const auto& [id, each] : parsed["tables"].items()) out.emplace_back(id, table_state_of(each));
  return out;
}

}  // namespace tv
