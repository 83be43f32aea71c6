// The settings of charts: values by name, as text, so that they can be stored, compared and written on a command line (`traceview
// report --set compare_a='step==3'`). And the controls that set them, as data, so that one row of widgets draws all controls.
// Invariant: a missing setting has its default; setting the empty text removes a setting.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace tv {

class ChartSettings {
 public:
  std::string_view text(std::string_view name, std::string_view otherwise = {}) const;
  /// Returns `otherwise` if the setting is missing or not a number.
  double number(std::string_view name, double otherwise) const;
  /// The number without its fraction, for example of a step. A view file may set any number, so one that does not fit becomes the
  /// nearest that does.
  std::optional<std::int64_t> whole_number(std::string_view name) const;
  void set(std::string_view name, std::string value);
  const std::map<std::string, std::string, std::less<>>& values() const { return values_; }  ///< only those that are set
  bool operator==(const ChartSettings&) const = default;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

struct ChartControl {
  struct Choice {
    std::string value, title;
  };
  std::string setting;          ///< its name in ChartSettings
  std::string title, hint;
  std::vector<Choice> choices;  ///< the allowed values; empty: a number or a text
  bool free_text = false;       ///< any text
  bool expressions = false;     ///< accepts any expression of request_filter.h as well as the choices
  std::string value;            ///< the current value
  // For a number:
  double least = 0, most = 0;
  bool whole = true;
  bool logarithmic = false;     ///< the slider moves by ratios
  std::string unit;

  /// The title of the value; if it has none, the value.
  std::string_view shown() const;
};

/// A control for a number, with its value from the settings.
ChartControl number_control(const ChartSettings& settings, std::string name, std::string title, std::string hint,
                            double otherwise, double least, double most, std::string unit);
/// A list of choices. The first is the default; its value is empty.
ChartControl choice_control(const ChartSettings& settings, std::string name, std::string title, std::string hint,
                            std::vector<ChartControl::Choice> choices);

/// Free text; `hint` explains it.
ChartControl text_control(const ChartSettings& settings, std::string name, std::string title, std::string hint);

/// Whether one of the controls accepts this value. The error names the existing controls and the values they accept.
Result<void> check_setting(std::span<const ChartControl> controls, std::string_view name, const std::string& value);

}  // namespace tv
