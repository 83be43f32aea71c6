// The output of verl's file logger (trainer.logger=['file']): a line of JSON per step, {"step":3,"data":{"timing_s/gen":4.1}}, with
// null for NaN. Source: verl's file logger.
#include <algorithm>
#include <array>
#include <limits>

#include <simdjson.h>

#include "core/read/json/iterate_json.h"
#include "core/base/memory/per_thread.h"
#include "core/read/json/json_args.h"
#include "core/read/json/json_scan.h"
#include "core/read/json/line_records.h"
#include "core/read/json/padded_text.h"
#include "core/read/log_parts.h"
#include "core/read/reader.h"
#include "core/read/verl/verl_step_line.h"

namespace tv {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::array<std::string_view, 2> kStepKeys = {"step", "data"};
constexpr RecordKeys kStepRecord{kStepKeys, 0b11, 0b11, 0b11};

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

bool is_step_line(std::string_view line) {
  if (const std::size_t begin = line.find_first_not_of(" \t"); begin != line.npos) line.remove_prefix(begin);
  if (!line.starts_with('{')) return false;
  const std::size_t step = line.find("\"step\""), data = line.find("\"data\"");
  if (step == line.npos || data == line.npos || step > data) return false;
  const std::size_t value = line.find_first_not_of(" :", data + 6);
  return value != line.npos && line[value] == '{';
}

int probe_verl_file(const Probe& probe) {
  const std::string_view line = first_line(probe.head);
  if (is_step_line(line)) return 96;
  // The first line may be damaged.
  const bool is_similar = line.find("\"step\"") != line.npos || line.find("\"data\"") != line.npos;
  const std::string_view rest = probe.head.substr(std::min(probe.head.size(), line.size() + 1));
  return is_similar && is_step_line(first_line(rest)) ? 80 : 0;
}

bool is_whole_value(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t"), end = line.find_last_not_of(" \t\r");
  return json_value_length(line.substr(begin)) == end - begin + 1;
}

// The step's number; nullopt if the document is not a record of this format.
std::optional<std::int64_t> read_metrics(ondemand::document& document, MetricLog& log, ProblemLog& problems,
                                         std::uint64_t offset) {
  ondemand::object record, data;
  std::int64_t number = 0;
  if (document.get_object().get(record) || record["step"].get_int64().get(number)) return std::nullopt;
  if (record["data"].get_object().get(data)) return std::nullopt;
  for (auto field : data) {
    std::string_view name;
    ondemand::value value;
    if (field.unescaped_key().get(name) || field.value().get(value)) return std::nullopt;
    const std::string key(name);  // the parser may reuse its memory
    double metric = 0;
    bool flag = false;
    switch (value.type().value_unsafe()) {
      case ondemand::json_type::number:
        if (value.get_double().get(metric)) return std::nullopt;
        break;
      case ondemand::json_type::null: metric = std::numeric_limits<double>::quiet_NaN(); break;
      case ondemand::json_type::boolean:
        if (value.get_bool().get(flag)) return std::nullopt;
        metric = flag ? 1 : 0;
        break;
      default: problems.add(ProblemKind::bad_counter, offset, key); continue;
    }
    add_metric(log, key, {metric, true});
  }
  return number;
}

// False if the text is not a record of this format.
bool read_step(std::string_view record, std::uint64_t offset, LogPart& part) {
  struct Scratch {
    ondemand::parser parser;
    PaddedText padded;
  };
  auto& [parser, padded] = per_thread<Scratch>();
  MetricStep step;
  step.offset = offset;
  step.first_value = static_cast<std::uint32_t>(part.log.values.size());
  part.log.steps.push_back(step);
  ondemand::document document;
  std::optional<std::int64_t> number;
  if (is_whole_value(record) && !iterate_json(parser, padded.assign(record)).get(document)) {
    number = read_metrics(document, part.log, part.problems, offset);
  }
  if (!number) {
    part.log.values.resize(step.first_value);
    part.log.steps.pop_back();
    return false;
  }
  part.log.steps.back().step = part.log.steps.back().first_step = *number;
  finish_verl_step(part.log, part.problems);
  return true;
}

// A broken line can contain whole records, if there are two writers or a newline was lost.
void read_torn_line(std::string_view line, std::uint64_t offset, bool ended, LogPart& part) {
  const std::vector<LinePart> parts = parts_of_line(line, kStepRecord);
  for (const LinePart& piece : parts) {
    if (piece.record && read_step(piece.text, offset + piece.begin, part)) continue;
    const bool cut = !ended && &piece == &parts.back() && piece.text.starts_with('{');
    const bool whole = is_whole_value(piece.text);
    const std::size_t lost = whole ? looks_like_record(piece.text, kStepRecord) : records_begun(piece.text, kStepRecord);
    report_lost(part.problems, offset + piece.begin, piece.text, lost, cut);
  }
}

void scan_verl_file(std::string_view text, std::uint64_t offset, LogPart& part) {
  while (!text.empty()) {
    const bool ended = text.find('\n') != text.npos;
    const std::string_view line = first_line(text);
    const bool blank = line.find_first_not_of(" \t\r") == line.npos;
    if (!blank && !read_step(line, offset, part)) read_torn_line(line, offset, ended, part);
    const std::size_t whole = std::min(text.size(), line.size() + 1);
    offset += whole;
    text.remove_prefix(whole);
  }
}

Result<void> read_verl_file(ReadContext& context) {
  auto log = read_log_parts(context, scan_verl_file);
  if (!log) return log.error();
  hand_over_log(context, std::move(*log), "step");
  return {};
}

std::optional<std::size_t> json_line_length(std::string_view text) {
  const std::size_t newline = text.find('\n');
  return newline == std::string_view::npos ? std::nullopt : std::optional(newline);
}

}  // namespace

extern const Reader kVerlFileLogger{"verl_file_logger", "verl file logger (metrics as JSON lines)", probe_verl_file,
                                    read_verl_file,     json_line_length,                           decode_json_record, nullptr, {}, true};

}  // namespace tv
