// Values that a script stores from a state, and arithmetic on them: `keep span view.span_ns`, then `$span*0.9+100`.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tv {

class ScriptValues {
 public:
  void keep(const std::string& name, nlohmann::ordered_json value) { kept_[name] = std::move(value); }
  /// Substitutes stored values in the text: a single name becomes its value as text; sums and products are evaluated from left to
  /// right, without precedence. None: a name is unknown, or it is not an expression.
  std::optional<std::string> text_of(const std::string& text) const;

 private:
  std::optional<double> sum(const std::string& text) const;
  std::map<std::string, nlohmann::ordered_json> kept_;
};

}  // namespace tv
