// What a script keeps of a state, and sums of it: `keep span view.span_ns`, then `$span*0.9+100`.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tv {

class ScriptValues {
 public:
  void keep(const std::string& name, nlohmann::ordered_json value) { kept_[name] = std::move(value); }
  /// The text with what was kept: a name alone is that value as text; sums and products are worked out from the left,
  /// without precedence. None: no such name, or no sum.
  std::optional<std::string> text_of(const std::string& text) const;

 private:
  std::optional<double> sum(const std::string& text) const;
  std::map<std::string, nlohmann::ordered_json> kept_;
};

}  // namespace tv
