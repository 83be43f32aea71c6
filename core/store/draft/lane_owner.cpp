#include "core/store/draft/lane_owner.h"

#include <fmt/format.h>

#include "core/base/text/ascii.h"
#include "core/store/rules/work_rules.h"

namespace tv {
namespace {

constexpr std::string_view kWorker = "worker ", kPid = "pid ", kBeforePid = ", ";

std::optional<std::int64_t> worker_in(std::string_view name) {
  if (!name.starts_with(kWorker)) return std::nullopt;
  return whole_number(name.substr(kWorker.size(), name.find_first_of(" ,", kWorker.size()) - kWorker.size()));
}

// "GPU 0" for "GPU 0 NVIDIA H100" and "/device:GPU:0". Without a number, the whole name.
std::string device_in(std::string_view name) {
  const NamedDevice device = named_device(name);
  if (device.word.empty() || device.number.empty()) return std::string(device.word.empty() ? std::string_view() : name);
  return fmt::format("{} {}", device.word, device.number);
}

}  // namespace

LaneOwner owned_by_rank(std::int64_t rank) { return {.member = fmt::format("rank {}", rank), .rank = rank}; }

LaneOwner owned_by_worker(std::int64_t worker) { return {.member = fmt::format("worker {}", worker), .worker = worker}; }

LaneOwner owned_by(const RankName& rank) {
  return {.member = rank.said ? fmt::format("rank {}", *rank.number) : rank.place, .rank = rank.number};
}

LaneOwner owner_by_name(std::string_view name) {
  LaneOwner owner;
  if (const auto rank = rank_at_begin(name)) {
    owner = owned_by(*rank);
  } else if (const auto worker = worker_in(name)) {
    owner = owned_by_worker(*worker);
  }
  const std::size_t pid = name.rfind(kPid);
  if (pid != std::string_view::npos) owner.pid = whole_number(name.substr(pid + kPid.size()));
  owner.device = device_in(name);
  return owner;
}

std::string_view without_pid(std::string_view name, const LaneOwner& owner) {
  if (!owner.pid) return name;
  const std::string end = fmt::format("{}{}{}", kBeforePid, kPid, *owner.pid);
  if (name == std::string_view(end).substr(kBeforePid.size())) return {};
  return name.ends_with(end) ? name.substr(0, name.size() - end.size()) : name;
}

}  // namespace tv
