#include "core/analysis/requests/request_fields.h"

#include <algorithm>
#include <array>

#include "core/analysis/statistics/summary.h"

namespace tv {
namespace {

using enum RequestField;

constexpr std::array kFields = {
    RequestFieldInfo{dur, "dur", "s", "duration of the request"},
    RequestFieldInfo{begin, "begin", "s", "when it began, since the trace's beginning"},
    RequestFieldInfo{end, "end", "s", "when it ended, since the trace's beginning"},
    RequestFieldInfo{step, "step", "", "number of its step"},
    RequestFieldInfo{run, "run", "", "number of the run, counted from 1, or its name; several runs may be in one log"},
    RequestFieldInfo{worker, "worker", "", "number of its worker"},
    RequestFieldInfo{turns, "turns", "", "turns of the assistant"},
    RequestFieldInfo{user_turns, "user_turns", "", "turns of the user"},
    RequestFieldInfo{tools, "tools", "", "turns with tool calls"},
    RequestFieldInfo{tokens, "tokens", "tokens", "tokens that the model generated"},
    RequestFieldInfo{length, "length", "tokens", "response length, with the tokens of tools and users"},
    RequestFieldInfo{prompt, "prompt", "tokens", "length of the prompt"},
    RequestFieldInfo{total, "total", "tokens", "length of prompt and response"},
    RequestFieldInfo{engine_s, "engine_s", "s", "time in the engine"},
    RequestFieldInfo{tool_s, "tool_s", "s", "time in tools and interactions"},
    RequestFieldInfo{reward_s, "reward_s", "s", "time in the reward calculation"},
    RequestFieldInfo{processing_s, "processing_s", "s",
                     "time before and after the engine within turns, and at the end"},
    RequestFieldInfo{pending_s, "pending_s", "s", "time until tools and interactions were set up"},
    RequestFieldInfo{other_s, "other_s", "s", "time that no event of the log covers"},
    RequestFieldInfo{tok_s, "tok_s", "tokens/s", "tokens generated per second in the engine"},
    RequestFieldInfo{group, "group", "", "its prompt's place in the batch (batch_data_id)"},
    RequestFieldInfo{finish, "finish", "", "finish reason", true},
    RequestFieldInfo{id, "id", "", "request id", true},
};
static_assert(kFields.size() == static_cast<std::size_t>(kCount));

double or_not_measured(std::int64_t n) { return n < 0 ? kNotMeasured : static_cast<double>(n); }
double seconds(Ns t) { return static_cast<double>(t) / 1e9; }

double tokens_per_second(const Rollout& rollout, RequestIx r) {
  const Ns engine = rollout.phase(r, RequestPhase::Engine);
  return rollout.tokens[r] < 0 || engine <= 0 ? kNotMeasured : rollout.tokens[r] / seconds(engine);
}

/// Calls visit with a function from RequestIx to the field's value, so that there is one switch for all requests.
template <class Visit>
auto with_field(const Rollout& o, RequestField field, Visit visit) {
  const auto phase = [&](RequestPhase p) {
    return visit([&column = o.exclusive[static_cast<std::size_t>(p)]](RequestIx r) { return seconds(column[r]); });
  };
  switch (field) {
    case dur: return visit([&](RequestIx r) { return o.seconds[r]; });
    case begin: return visit([&](RequestIx r) { return seconds(o.begin[r]); });
    case end: return visit([&](RequestIx r) { return seconds(o.end[r]); });
    case step: return visit([&](RequestIx r) { return static_cast<double>(o.steps[o.step[r]].step); });
    case run: return visit([&](RequestIx r) { return o.steps[o.step[r]].run + 1.0; });
    case worker: return visit([&](RequestIx r) { return static_cast<double>(o.workers[o.worker[r]]); });
    case turns: return visit([&](RequestIx r) { return or_not_measured(o.turns[r]); });
    case tokens: return visit([&](RequestIx r) { return or_not_measured(o.tokens[r]); });
    case user_turns: return visit([&](RequestIx r) { return or_not_measured(o.request(r).user_turns); });
    case tools: return visit([&](RequestIx r) { return or_not_measured(o.request(r).turns_with_tools); });
    case length: return visit([&](RequestIx r) { return or_not_measured(o.request(r).response_length); });
    case prompt: return visit([&](RequestIx r) { return or_not_measured(o.request(r).prompt_tokens); });
    case total: return visit([&](RequestIx r) { return or_not_measured(o.request(r).total_length); });
    case group: return visit([&](RequestIx r) { return or_not_measured(o.request(r).batch_id); });
    case engine_s: return phase(RequestPhase::Engine);
    case tool_s: return phase(RequestPhase::Tool);
    case reward_s: return phase(RequestPhase::Reward);
    case processing_s: return phase(RequestPhase::Processing);
    case pending_s: return phase(RequestPhase::Pending);
    case other_s: return phase(RequestPhase::Other);
    case tok_s: return visit([&](RequestIx r) { return tokens_per_second(o, r); });
    case finish:
    case id:
    case kCount: break;
  }
  return visit([](RequestIx) { return kNotMeasured; });
}

}  // namespace

std::span<const RequestFieldInfo> request_fields() { return kFields; }

const RequestFieldInfo& info(RequestField field) { return kFields[static_cast<std::size_t>(field)]; }

std::optional<RequestField> request_field(std::string_view name) {
  const auto found = std::ranges::find(kFields, name, &RequestFieldInfo::name);
  return found == kFields.end() ? std::nullopt : std::optional(found->field);
}

double field_value(const Rollout& rollout, RequestIx request, RequestField field) {
  return with_field(rollout, field, [request](auto value) { return static_cast<double>(value(request)); });
}

std::string_view field_text(const Rollout& rollout, RequestIx request, RequestField field) {
  if (field == id) return rollout.id(request);
  return field == finish ? rollout.log().text(rollout.request(request).finish) : std::string_view();
}

void field_values(const Rollout& rollout, RequestField field, std::span<const RequestIx> among,
                  std::span<double> values) {
  with_field(rollout, field, [&](auto value) {
    for (std::size_t i = 0; i < among.size(); ++i) values[i] = value(among[i]);
    return 0;
  });
}

std::vector<double> field_values(const Rollout& rollout, RequestField field, const RequestSet& among) {
  std::vector<double> values(among.size());
  field_values(rollout, field, among, values);
  return values;
}

}  // namespace tv
