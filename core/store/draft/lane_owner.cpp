#include "core/store/draft/lane_owner.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text/ascii.h"
#include "core/store/rules/work_rules.h"

namespace tv {
namespace {

constexpr std::string_view kWorker = "worker ", kPid = "pid ", kBeforePid = ", ";

std::optional<std::int64_t> worker_in(std::string_view name) {
  if (!name.starts_with(kWorker)) return std::nullopt;
  return whole_number(name.substr(kWorker.size(), name.find_first_of(" ,", kWorker.size()) - kWorker.size()));
}

// "GPU 0" for "GPU 0 NVIDIA H100" and "/device:GPU:0"; the whole name if there is no number. Empty if it is not a device's name.
std::string device_in(std::string_view name) {
  const NamedDevice device = named_device(name);
  if (device.word.empty() || device.number.empty()) return std::string(device.word.empty() ? std::string_view() : name);
  return fmt::format("{} {}", device.word, device.number);
}

// The first number after the word, as a word of its own: 1375 for "thread" in "thread 1375 (pt_main_thread)".
std::optional<std::int64_t> number_after(std::string_view word, std::string_view written) {
  const std::string name = lower_case(written);
  for (std::size_t at = name.find(word); at != name.npos; at = name.find(word, at + 1)) {
    const std::size_t begin = name.find_first_not_of(" ()[],:#_", at + word.size());
    const bool within_word = at > 0 && (is_digit(name[at - 1]) || (name[at - 1] >= 'a' && name[at - 1] <= 'z'));
    if (within_word || begin == name.npos || begin == at + word.size()) continue;
    const std::size_t end = std::min(name.find_first_of(" ()[],:#_", begin), name.size());
    if (const auto number = whole_number(std::string_view(name).substr(begin, end - begin)); number && *number >= 0) return number;
  }
  return std::nullopt;
}

}  // namespace

LaneOwner owned_by_rank(std::int64_t rank) { return owned_by(RankName{.number = rank, .by_word = true}); }

LaneOwner owned_by_worker(std::int64_t worker) { return {.member = fmt::format("worker {}", worker), .worker = worker}; }

LaneOwner owned_by(const RankName& rank) {
  return {.member = rank.by_word ? fmt::format("rank {}", *rank.number) : rank.place, .rank = rank.number};
}

std::optional<std::int64_t> gpu_number(const LaneOwner& owner) {
  constexpr std::string_view kGpu = "GPU ";
  if (!owner.device.starts_with(kGpu)) return std::nullopt;
  return whole_number(std::string_view(owner.device).substr(kGpu.size()));
}

LaneOwner owner_by_name(std::string_view name, bool is_process) {
  LaneOwner owner;
  if (const auto rank = rank_at_begin(name)) {
    owner = owned_by(*rank);
  } else if (const auto worker = worker_in(name)) {
    owner = owned_by_worker(*worker);
  } else if (const auto anywhere = is_process ? rank_in_text(name) : std::nullopt) {
    owner = owned_by(*anywhere);
  }
  const std::size_t pid = name.rfind(kPid);
  const bool is_word = pid == 0 || (pid != std::string_view::npos && name[pid - 1] == ' ');
  if (is_word) owner.pid = whole_number(name.substr(pid + kPid.size()));
  owner.device = device_in(name);
  if (!is_process) {
    owner.thread = number_after("thread", name);
    owner.stream = number_after("stream", name);
  }
  return owner;
}

void note_thread_of_calls(std::string_view lane, std::string_view group, LaneOwner& owner) {
  if (lane != kCallsLane || owner.thread) return;
  owner.thread = whole_number(group.substr(group.rfind(' ') + 1)).value_or(0);
}

std::string_view without_pid(std::string_view name, const LaneOwner& owner) {
  if (!owner.pid) return name;
  const std::string end = fmt::format("{}{}{}", kBeforePid, kPid, *owner.pid);
  if (name == std::string_view(end).substr(kBeforePid.size())) return {};
  return name.ends_with(end) ? name.substr(0, name.size() - end.size()) : name;
}

std::string with_words(std::string_view name, const LaneOwner& owner, std::string_view words) {
  const std::string_view before_pid = without_pid(name, owner);
  if (before_pid.empty()) return fmt::format("{}, {}", name, words);  // the name consists only of the pid
  return fmt::format("{}, {}{}", before_pid, words, name.substr(before_pid.size()));
}

}  // namespace tv
