// Values that a script stores from the state, and arithmetic on them: `keep span view.span_ns`, then `$span*0.9+100`.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tv {

class ScriptValues {
 public:
  void keep(const std::string& name, nlohmann::ordered_json value) { values_[name] = std::move(value); }
  /// Evaluates a text that contains `$`: a single name gives its value as text, and an expression of + - * / is computed from left
  /// to right, without precedence. Other texts are returned unchanged. None: a name is unknown, or the expression is malformed.
  std::optional<std::string> text_of(const std::string& text) const;

 private:
  std::optional<double> sum(const std::string& text) const;
  std::map<std::string, nlohmann::ordered_json> values_;
};

}  // namespace tv
