#include "tests/support/big_rollout_text.h"

#include <algorithm>
#include <array>

namespace tv::test {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(BigEvent::kCount)> kEventNames = {
    "request_start",
    "tool_creation_pending_state",
    "interaction_start_pending_state",
    "pending_state_handling",
    "turn_start",
    "turn_pre_process",
    "engine_generate_setup",
    "engine_async_generate_actual",
    "turn_engine_call",
    "turn_tool_parsing",
    "turn_post_process",
    "turn_end",
    "tool_execution",
    "tool_response_processing",
    "tool_calling_state",
    "interaction_response",
    "interacting_state",
    "main_loop",
    "reward_calculation",
    "finalization",
    "async_rollout_request_complete",
    "preprocessing_duration",
    "async_generate_duration",
    "sorting_duration",
    "barrier_wait_duration",
    "broadcast_duration",
    "data_extraction_duration",
    "padding_duration",
    "concatenation_duration",
    "batch_construction_duration",
    "cache_flush_duration",
    "final_construction_duration",
    "step_response_length_stats",
    "total_step_duration",
};

// Seconds as Python prints the difference of two floats: many digits, small ones with an exponent. The digits below a nanosecond
// are made up, and less than half of one: rounding to nanoseconds gives the duration back.
struct Seconds {
  Ns ns;
};

}  // namespace
}  // namespace tv::test

template <>
struct fmt::formatter<tv::test::Seconds> {
  static constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  static auto format(tv::test::Seconds seconds, fmt::format_context& context) {
    const auto ns = static_cast<std::uint64_t>(seconds.ns);
    if (ns == 0) return std::copy_n("0", 1, context.out());
    const std::uint64_t below = ns * 2'654'435'761 % 4'999'999;
    if (ns >= 100'000) {
      return fmt::format_to(context.out(), FMT_COMPILE("{}.{:09}{:07}"), ns / 1'000'000'000, ns % 1'000'000'000, below);
    }
    std::uint64_t unit = 1;
    int exponent = 9;
    for (; ns / unit >= 10; unit *= 10) --exponent;
    if (unit == 1) return fmt::format_to(context.out(), FMT_COMPILE("{}.{:07}e-09"), ns, below);
    return fmt::format_to(context.out(), FMT_COMPILE("{}.{}{:07}e-{:02}"), ns / unit,
                          std::string_view(fmt::format_int(unit + ns % unit).c_str()).substr(1), below, exponent);
  }
};

namespace tv::test {
namespace {

// In percent, with two decimals.
std::string percent(Ns part, Ns whole) {
  const Ns hundredths = part * 10'000 / whole;
  return fmt::format(FMT_COMPILE("{}.{:02}"), hundredths / 100, hundredths % 100);
}

// Seconds with four decimals.
std::string rounded(Ns ns) { return fmt::format(FMT_COMPILE("{}.{:04}"), ns / kSecond, ns % kSecond / 100'000); }

}  // namespace

std::string_view name(BigEvent event) { return kEventNames[static_cast<std::size_t>(event)]; }

std::string_view BigTurn::finish_reason() const {
  if (tools) return "FinishReasonTypeEnum.TOOL_CALL";
  return tokens > 1'450 ? "FinishReasonTypeEnum.LENGTH" : "FinishReasonTypeEnum.STOP";
}

void RolloutText::stamp(Ns time) {
  const auto whole = std::chrono::sys_seconds(std::chrono::seconds(time / kSecond));
  const auto day = std::chrono::floor<std::chrono::days>(whole);
  if (day != day_) {
    day_ = day;
    const std::chrono::year_month_day date(day);
    date_ = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                        static_cast<unsigned>(date.day()));
  }
  const auto second = static_cast<std::uint64_t>((whole - day).count());
  out_.print_fast(FMT_COMPILE("{}T{:02}:{:02}:{:02}"), date_, second / 3'600, second / 60 % 60, second % 60);
  // isoformat() leaves the fraction out when there is none.
  if (const Ns fraction = time % kSecond; fraction > 0) out_.print_fast(FMT_COMPILE(".{:06}"), fraction / 1'000);
}

void RolloutText::write(const BigLine& line, const std::vector<BigRequest>& requests) {
  out_.text("{\"timestamp\": \"");
  stamp(line.stamp);
  out_.print_fast(FMT_COMPILE("\", \"event\": \"{}\""), name(line.event));
  if (line.duration >= 0) out_.print_fast(FMT_COMPILE(", \"duration_sec\": {}"), Seconds{line.duration});
  if (line.request != kNoRequest) {
    const BigRequest& request = requests[line.request];
    out_.print_fast(FMT_COMPILE(", \"extra\": {{\"request_id\": \"{}\""), request.id);
    extra(line, request);
    out_.text("}");
  } else if (line.event == BigEvent::LengthStats) {
    lengths(requests);
  }
  out_.print_fast(FMT_COMPILE(", \"workid\": {}, \"step\": {}}}\n"), worker_, step_);
}

void RolloutText::timings(const BigTurn& turn) {
  out_.print_fast(FMT_COMPILE(", \"pre_process_duration\": {}, \"engine_call_duration\": {}, "
                              "\"post_process_duration\": {}, \"tool_parsing_duration\": {}, \"has_tool_calls\": {}, "
                              "\"finish_reason\": \"{}\""),
                  Seconds{turn.pre}, Seconds{turn.call}, Seconds{turn.post}, Seconds{turn.parsing},
                  turn.tools ? "true" : "false", turn.finish_reason());
}

void RolloutText::extra(const BigLine& line, const BigRequest& request) {
  switch (line.event) {
    case BigEvent::RequestStart:
      return out_.print_fast(FMT_COMPILE(", \"initial_prompt_length\": {}"), request.prompt);
    case BigEvent::TurnStart:
      return out_.print_fast(FMT_COMPILE(", \"turn\": {}, \"current_sequence_length\": {}"), line.turn,
                             request.turns[line.turn].prompt);
    case BigEvent::PreProcess:
      return out_.print_fast(FMT_COMPILE(", \"turn\": {}, \"generation_prompt_length\": {}"), line.turn,
                             request.turns[line.turn].prompt);
    case BigEvent::EngineCall: {
      const BigTurn& turn = request.turns[line.turn];
      return out_.print_fast(FMT_COMPILE(", \"turn\": {}, \"generated_tokens\": {}, \"output_text_length\": {}"),
                             line.turn, turn.tokens, turn.tokens * 4);
    }
    case BigEvent::ToolParsing:
      return out_.print_fast(FMT_COMPILE(", \"turn\": {}, \"raw_tool_calls\": 1, \"parsed_tool_calls\": 1"), line.turn);
    case BigEvent::PostProcess: {
      const BigTurn& turn = request.turns[line.turn];
      return out_.print_fast(FMT_COMPILE(", \"turn\": {}, \"has_tool_calls\": {}, \"parsed_tool_calls\": {}, "
                                         "\"finish_reason\": \"{}\", \"tool_parsing_duration\": {}"),
                             line.turn, turn.tools ? "true" : "false", turn.tools ? 1 : 0, turn.finish_reason(),
                             Seconds{turn.parsing});
    }
    case BigEvent::TurnEnd: {
      const BigTurn& turn = request.turns[line.turn];
      out_.print_fast(FMT_COMPILE(", \"turn\": {}"), line.turn);
      timings(turn);
      return out_.print_fast(FMT_COMPILE(", \"engine_call_pct\": {}, \"post_process_pct\": {}"),
                             percent(turn.call, turn.total), percent(turn.post, turn.total));
    }
    case BigEvent::ToolExecution:
    case BigEvent::ToolResponse:
    case BigEvent::ToolCalling: return out_.print_fast(FMT_COMPILE(", \"turn\": {}"), line.turn);
    case BigEvent::InteractionResponse:
    case BigEvent::Interacting:
      return out_.print_fast(FMT_COMPILE(", \"user_turn\": 1, \"assistant_turn\": {}"), line.turn);
    case BigEvent::Complete: return complete(line, request);
    default: return;
  }
}

void RolloutText::complete(const BigLine& line, const BigRequest& request) {
  const auto turns = static_cast<Ns>(request.turns.size());
  Ns total = 0, engine = 0, post = 0;
  for (const BigTurn& turn : request.turns) {
    total += turn.total;
    engine += turn.call;
    post += turn.post;
  }
  out_.print_fast(
      FMT_COMPILE(", \"batch_data_id\": {}, \"finish_reason\": \"{}\", \"turns\": {}, \"user_turns\": {}, "
                  "\"turns_with_tools\": {}, \"response_length\": {}, \"actual_response_tokens\": {}, "
                  "\"total_sequence_length\": {}, \"avg_turn_duration\": {}, \"avg_engine_call_duration\": {}, "
                  "\"avg_post_process_duration\": {}, \"total_engine_time\": {}, \"total_post_process_time\": {}, "
                  "\"engine_time_pct\": {}, \"post_process_time_pct\": {}, \"turn_timings\": ["),
      request.number, request.turns.back().finish_reason(), turns, request.interactive ? 1 : 0, request.with_tools,
      request.length, request.tokens, request.prompt + request.length, rounded(total / turns), rounded(engine / turns),
      rounded(post / turns), rounded(engine), rounded(post), percent(engine, line.duration),
      percent(post, line.duration));
  for (std::size_t k = 0; k < request.turns.size(); ++k) {
    out_.print_fast(FMT_COMPILE("{}{{\"turn\": {}, \"total_duration\": {}"), k > 0 ? ", " : "", k,
                    Seconds{request.turns[k].total});
    timings(request.turns[k]);
    out_.text("}");
  }
  out_.text("]");
}

void RolloutText::lengths(const std::vector<BigRequest>& requests) {
  std::vector<std::int64_t> all, tokens;
  for (const BigRequest& request : requests) {
    all.push_back(request.length);
    tokens.push_back(request.tokens);
  }
  out_.print(", \"extra\": {{\"response_lengths\": [{}], \"actual_response_tokens\": [{}]", fmt::join(all, ", "),
             fmt::join(tokens, ", "));
  std::sort(all.begin(), all.end());
  std::int64_t sum = 0;
  for (const std::int64_t length : all) sum += length;
  const auto n = static_cast<std::int64_t>(all.size());
  const auto over = [&](std::int64_t limit) { return all.end() - std::upper_bound(all.begin(), all.end(), limit); };
  out_.print(
      ", \"response_length_mean\": {}.{:02}, \"response_length_median\": {}.0, \"response_length_p80\": {}.0, "
      "\"response_length_p95\": {}.0, \"response_length_max\": {}, \"response_length_min\": {}, "
      "\"requests_over_500\": {}, \"requests_over_1000\": {}, \"batch_size\": {}}}",
      sum / n, sum % n * 100 / n, all[all.size() / 2], all[all.size() * 8 / 10], all[all.size() * 95 / 100], all.back(),
      all.front(), over(500), over(1'000), n);
}

}  // namespace tv::test
