#include "core/read/verl/rollout_line.h"

#include <simdjson.h>

#include <limits>

#include "core/base/memory/per_thread.h"
#include "core/read/json/iterate_json.h"
#include "core/read/json/padded_text.h"

namespace tv {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

std::string_view token_of(ondemand::value value) {
  std::string_view token = value.raw_json_token();
  while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ') token.remove_suffix(1);
  return token;
}

// Empty for anything but a string.
std::string_view text_of(ondemand::value value) {
  std::string_view text;
  return value.get_string().get(text) ? std::string_view() : text;
}

std::optional<std::int64_t> integer_of(ondemand::value value) {
  std::int64_t number = 0;
  if (value.get_int64().get(number)) return std::nullopt;
  return number;
}

// A count of tokens or turns. A value other than a small whole number counts as missing.
std::int32_t count_of(ondemand::value value) {
  const std::optional<std::int64_t> number = integer_of(value);
  return number && *number >= 0 && *number <= std::numeric_limits<std::int32_t>::max()
             ? static_cast<std::int32_t>(*number)
             : -1;
}

double seconds_of(ondemand::value value) {
  double seconds = 0;
  return value.get_double().get(seconds) ? 0 : seconds;
}

template <class Take>
error_code each_field(ondemand::object object, Take take) {
  for (auto field : object) {
    ondemand::raw_json_string key;
    if (const auto code = field.key().get(key)) return code;
    ondemand::value value;
    if (const auto code = field.value().get(value)) return code;
    if (const error_code code = take(key, value)) return code;
  }
  return simdjson::SUCCESS;
}

error_code read_timings(ondemand::value value, std::vector<RolloutTurn>& timings) {
  ondemand::array entries;
  if (value.get_array().get(entries)) return simdjson::SUCCESS;
  for (auto element : entries) {
    ondemand::object entry;
    if (const auto code = element.get_object().get(entry)) {
      if (code == simdjson::INCORRECT_TYPE) continue;
      return code;
    }
    RolloutTurn& turn = timings.emplace_back();
    turn.turn = static_cast<std::int32_t>(timings.size()) - 1;
    const error_code code = each_field(entry, [&](ondemand::raw_json_string key, ondemand::value field) {
      if (key == "turn") {
        turn.turn = count_of(field);
      } else if (key == "pre_process_duration") {
        turn.pre_process = seconds_of(field);
      } else if (key == "engine_call_duration") {
        turn.engine_call = seconds_of(field);
      } else if (key == "post_process_duration") {
        turn.post_process = seconds_of(field);
      } else if (key == "tool_parsing_duration") {
        turn.tool_parsing = seconds_of(field);
      }
      return simdjson::SUCCESS;
    });
    if (code) return code;
  }
  return simdjson::SUCCESS;
}

error_code read_completion(ondemand::raw_json_string key, ondemand::value value, RolloutLine& line) {
  if (key == "batch_data_id") {
    line.batch_id = integer_of(value).value_or(-1);
  } else if (key == "finish_reason") {
    line.finish_reason = text_of(value);
  } else if (key == "turns") {
    line.turns = count_of(value);
  } else if (key == "user_turns") {
    line.user_turns = count_of(value);
  } else if (key == "turns_with_tools") {
    line.turns_with_tools = count_of(value);
  } else if (key == "response_length") {
    line.response_length = count_of(value);
  } else if (key == "actual_response_tokens") {
    line.response_tokens = count_of(value);
  } else if (key == "total_sequence_length") {
    line.total_length = count_of(value);
  } else if (key == "turn_timings") {
    return read_timings(value, line.timings);
  }
  return simdjson::SUCCESS;
}

error_code read_extra(ondemand::value value, RolloutLine& line) {
  ondemand::object extra;
  if (value.get_object().get(extra)) return simdjson::SUCCESS;  // not an object: nothing to read
  // verl writes the event's name before "extra". If the name comes later, only the id is read.
  const WantedExtras wanted = wanted_extras(line.event);
  return each_field(extra, [&](ondemand::raw_json_string key, ondemand::value field) {
    if (key == "request_id") {
      line.request_id = text_of(field);
    } else if (wanted.completion) {
      return read_completion(key, field, line);
    } else if (wanted.engine && key == "turn") {
      line.turn = count_of(field);
    } else if (wanted.engine && key == "generated_tokens") {
      line.generated_tokens = count_of(field);
    } else if (wanted.start && key == "initial_prompt_length") {
      line.prompt_tokens = count_of(field);
    }
    return simdjson::SUCCESS;
  });
}

error_code read_fields(ondemand::object object, RolloutLine& line) {
  return each_field(object, [&](ondemand::raw_json_string key, ondemand::value value) {
    if (key == "timestamp") {
      line.timestamp = text_of(value);
    } else if (key == "event") {
      line.event = text_of(value);
    } else if (key == "duration_sec") {
      line.duration = token_of(value);
    } else if (key == "workid" || key == "worker") {
      line.worker = integer_of(value);
    } else if (key == "step") {
      line.step = integer_of(value);
    } else if (key == "extra") {
      return read_extra(value, line);
    }
    return simdjson::SUCCESS;
  });
}

}  // namespace

WantedExtras wanted_extras(std::string_view event) {
  return {event == "async_rollout_request_complete", event == "turn_engine_call" || event == "engine_call",
          event == "request_start"};
}

bool read_rollout_line(std::string_view text, RolloutLine& line) {
  struct Scratch {
    ondemand::parser parser;
    PaddedText padded;
  };
  auto& [parser, padded] = per_thread<Scratch>();
  ondemand::document document;
  ondemand::object object;
  line.clear();
  if (iterate_json(parser, padded.assign(text)).get(document) || document.get_object().get(object) || read_fields(object, line)) {
    return false;
  }
  const char* rest = nullptr;  // the text after the object: not ignored, or a second record on the line would be lost
  return document.current_location().get(rest) != simdjson::SUCCESS || rest >= padded.data() + text.size();
}

}  // namespace tv
