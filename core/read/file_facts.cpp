#include "core/read/file_facts.h"

#include <algorithm>
#include <regex>

#include "core/base/text/path_parts.h"

namespace tv {
namespace {

std::optional<std::int64_t> number_in(const std::string& text, const std::regex& pattern) {
  std::smatch match;
  if (!std::regex_search(text, match, pattern)) return std::nullopt;
  try {
    return std::stoll(match[1].str());
  } catch (const std::out_of_range&) {
    return std::nullopt;
  }
}

// The timer of a trainer's step around what a worker is asked to do (verl.md sections 4.3 and 5).
std::string_view phase_of(std::string_view role) {
  constexpr std::pair<std::string_view, std::string_view> kPhaseOfRole[] = {
      {"actor_update", "update_actor"},           {"critic_update", "update_critic"},
      {"actor_compute_log_prob", "old_log_prob"}, {"ref_compute_log_prob", "ref"},
      {"compute_values", "values"},               {"compute_rm_score", "reward"},
      {"rollout_generate", "gen"},                {"agent_loop_rollout_replica", "gen"}};
  for (const auto& [known, phase] : kPhaseOfRole) {
    if (role == known) return phase;
  }
  return {};
}

std::string stem_without_ending(std::string name) {
  for (const std::string_view suffix : {".gz", ".zst", ".zip", ".tmp", ".json", ".jsonl", ".trace", ".pt"}) {
    if (name.size() > suffix.size() && name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  }
  return name;
}

}  // namespace

FileFacts facts_of(std::string_view path) {
  static const std::regex rank("(?:^|[^a-z])rank[-_]?(\\d+)", std::regex::icase);
  static const std::regex paddle("^workerlog\\.(\\d+)");  // one per device
  static const std::regex worker("(?:^|[^a-z])worker_?(-?\\d+)", std::regex::icase);
  static const std::regex step_folder("(?:^|/)step_(\\d+)/[^/]*$");
  static const std::regex step_tag("(?:^|[^a-z])(?:step|iteration)[-_]?(\\d+)", std::regex::icase);
  // Stages of verl's profiler (verl.md section 5).
  static const std::regex role(
      "(actor_update|actor_compute_log_prob|ref_compute_log_prob|compute_values|critic_update|compute_rm_score|"
      "rollout_generate|agent_loop_rollout_replica|train_batch)");
  // verl's torch profiler; its nsys reports under Ray.
  static const std::regex pid("(?:_pid|^worker_process_)(\\d+)");
  // PyTorch's tensorboard_trace_handler: host, pid, and when it was written.
  static const std::regex torch_pid("_(\\d+)\\.\\d{10,}\\.pt\\.trace\\.json");
  constexpr std::size_t kLongestPath = 1024;  // more of it a std::regex may not survive
  path = path.substr(path.size() - std::min(path.size(), kLongestPath));
  const std::string name(last_part(path));
  const std::string whole(path);
  FileFacts facts;
  facts.stem = stem_without_ending(name);
  facts.rank = number_in(name, rank);
  if (!facts.rank) facts.rank = number_in(name, paddle);
  facts.worker = number_in(name, worker);
  facts.step = number_in(whole, step_folder);
  if (!facts.step) facts.step = number_in(whole, step_tag);
  std::smatch match;
  if (std::regex_search(whole, match, role)) facts.role = match[1].str();
  facts.pid = number_in(name, pid);
  if (!facts.pid) facts.pid = number_in(name, torch_pid);
  facts.phase = phase_of(facts.role);
  return facts;
}

std::optional<std::int64_t> rank_of(std::string_view path, std::string_view head) {
  const FileFacts facts = facts_of(path);
  if (facts.rank) return facts.rank;
  if (facts.worker) return facts.worker;
  static const std::regex rank("\"rank\"\\s*:\\s*(\\d+)");
  const std::size_t info = head.find("\"distributedInfo\"");
  return info == std::string_view::npos ? std::nullopt : number_in(std::string(head.substr(info, 1024)), rank);
}

LaneSegment source_segment(const FileFacts& facts, const std::string& path) {
  LaneSegment segment;
  segment.key = path;
  segment.name = facts.stem;
  if (facts.rank) {
    segment.name = "rank " + std::to_string(*facts.rank);
    if (!facts.role.empty()) segment.name += " " + facts.role;
    segment.sort = *facts.rank;
  }
  return segment;
}

void tell_facts(const FileFacts& facts, SourceInfo& info) {
  info.rank = facts.rank;
  info.step = facts.step;
  info.role = facts.role;
  info.pid = facts.pid;
  info.phase = facts.phase;
}

}  // namespace tv
