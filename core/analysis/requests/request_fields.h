// The named properties of a request, for filters ("dur > 2s"), axes of charts, and --fail-if rules. Values are doubles in the
// field's unit, NaN if the log lacks the value. Times of phases are exclusive: they add up to dur.
// Cost: 1 ns per request for fields in Rollout's columns, a cache miss per request for those of RolloutRequest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

enum class RequestField : std::uint8_t {
  dur, begin, end, step, run, worker, turns, user_turns, tools, tokens, length, prompt, total,
  engine_s, tool_s, reward_s, processing_s, pending_s, other_s, tok_s, group, finish, id,
  kCount,
};

struct RequestFieldInfo {
  RequestField field;
  std::string_view name;  ///< as it is written in a filter
  std::string_view unit;  ///< "s", "tokens", "tokens/s"; empty: a plain number or a text
  std::string_view help;  ///< one line
  bool text = false;
};

/// In the order of RequestField.
std::span<const RequestFieldInfo> request_fields();
const RequestFieldInfo& info(RequestField field);
std::optional<RequestField> request_field(std::string_view name);

/// NaN for text fields, and if the log lacks the value.
double field_value(const Rollout& rollout, RequestIx request, RequestField field);
/// Empty for number fields.
std::string_view field_text(const Rollout& rollout, RequestIx request, RequestField field);
std::vector<double> field_values(const Rollout& rollout, RequestField field, const RequestSet& among);
/// The same, written into `values`, which must have the same length.
void field_values(const Rollout& rollout, RequestField field, std::span<const RequestIx> among,
                  std::span<double> values);

}  // namespace tv
