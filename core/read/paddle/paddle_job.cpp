#include "core/read/paddle/paddle_job.h"

#include <charconv>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

constexpr std::size_t kJobDecimals = 6;  // std::to_string(double) never writes fewer

constexpr bool is_type_letter(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Parses a record. After the first mismatch, all functions fail.
class JobCursor {
 public:
  explicit JobCursor(std::string_view text) : text_(text) {}

  void literal(std::string_view expected) {
    if (state_ != PaddleParse::Whole) return;
    const std::string_view there = text_.substr(at_, expected.size());
    if (there == expected) {
      at_ += expected.size();
    } else {
      fail(expected.starts_with(there));
    }
  }

  template <class Is>
  std::string_view letters(Is is) {
    if (state_ != PaddleParse::Whole) return {};
    const std::size_t begin = at_;
    while (at_ < text_.size() && is(text_[at_])) ++at_;
    if (at_ == begin) fail(at_ == text_.size());
    return text_.substr(begin, at_ - begin);
  }

  std::string_view milliseconds() {
    const std::size_t begin = at_;
    letters(is_digit);
    literal(".");
    const std::string_view decimals = letters(is_digit);
    if (state_ != PaddleParse::Whole) return {};
    // The text may end before the last digits.
    if (at_ == text_.size() && decimals.size() < kJobDecimals) fail(true);
    return text_.substr(begin, at_ - begin);
  }

  std::size_t at() const { return at_; }
  PaddleParse state() const { return state_; }

 private:
  void fail(bool cut) { state_ = cut ? PaddleParse::Cut : PaddleParse::Bad; }

  std::string_view text_;
  std::size_t at_ = 0;
  PaddleParse state_ = PaddleParse::Whole;
};

std::string_view without_reduce(std::string_view type) {
  constexpr std::string_view kReduce = "_reduce";
  if (type.ends_with(kReduce)) type.remove_suffix(kReduce.size());
  return type;
}

}  // namespace

PaddleParse parse_paddle_job(std::string_view text, PaddleJob& job) {
  JobCursor cursor(text);
  cursor.literal(kPaddleMarker);
  job.number = cursor.letters(is_digit);
  cursor.literal("), type = ");
  job.type = cursor.letters(is_type_letter);
  cursor.literal(", micro_batch_id = ");
  job.micro_batch = cursor.letters(is_digit);
  cursor.literal(", job_start_time = ");
  job.begin = cursor.milliseconds();
  cursor.literal(", job_end_time = ");
  job.end = cursor.milliseconds();
  job.length = cursor.at();
  return cursor.state();
}

std::optional<std::string_view> paddle_chunk(std::string_view type) {
  type = without_reduce(type);
  std::size_t digits = type.size();
  while (digits > 0 && is_digit(type[digits - 1])) --digits;
  return digits == type.size() ? std::nullopt : std::optional(type.substr(digits));
}

PipelineWork paddle_work(std::string_view type) {
  if (type.starts_with("recv_") || type.starts_with("send_")) return PipelineWork::communication;
  type = without_reduce(type);
  while (!type.empty() && is_digit(type.back())) type.remove_suffix(1);
  for (const PipelineWork work : {PipelineWork::forward, PipelineWork::backward, PipelineWork::backward_b,
                                  PipelineWork::backward_w, PipelineWork::optimizer, PipelineWork::lr}) {
    if (type == name(work)) return work;
  }
  return PipelineWork::other;
}

std::optional<PipelineJob> pipeline_job(const PaddleJob& job) {
  PipelineJob numbers;
  numbers.work = paddle_work(job.type);
  const auto read = [](std::string_view text, std::int32_t& value) {
    return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
  };
  if (!read(job.micro_batch, numbers.micro_batch)) return std::nullopt;
  if (const auto chunk = paddle_chunk(job.type)) {
    if (!read(*chunk, numbers.chunk) || numbers.chunk >= kMostChunks) return std::nullopt;
  }
  return numbers;
}

}  // namespace tv
