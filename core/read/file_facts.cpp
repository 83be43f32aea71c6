#include "core/read/file_facts.h"

#include <re2/re2.h>

#include <algorithm>

#include "core/base/names/rank_name.h"
#include "core/base/text/path_parts.h"
#include "core/read/json/find_text.h"
#include "core/read/own_member.h"

namespace tv {
namespace {

// Converts to RE2's string type. In some releases std::string_view does not convert by itself (Debian 13 has absl's type).
re2::StringPiece piece_of(std::string_view text) { return {text.data(), text.size()}; }

// The first object in the text. If the text cuts it off, the part before the cut.
std::string_view object_at(std::string_view text) {
  text.remove_prefix(std::min(text.find('{'), text.size()));
  int depth = 0;
  for (std::size_t at = text.find_first_of("{}"); at < text.size(); at = text.find_first_of("{}", at + 1)) {
    depth += text[at] == '{' ? 1 : -1;
    if (depth == 0) return text.substr(0, at + 1);
  }
  return text;
}

// The number in the parentheses of the first match. None if it does not fit in 64 bits.
std::optional<std::int64_t> number_in(std::string_view text, const RE2& pattern) {
  std::int64_t number = 0;
  if (!RE2::PartialMatch(piece_of(text), pattern, &number)) return std::nullopt;
  return number;
}

// The trainer's timer for the work of a worker with this role. Source: verl's console, verl's file logger.
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
  // Latin-1 matches bytes, because the encoding of a path is unknown.
  static const RE2 rank(R"((?i)(?:^|[^a-z])rank[-_ ]?(\d+))", RE2::Latin1);
  static const RE2 paddle(R"(^workerlog\.(\d+))", RE2::Latin1);  // one per device
  // A hyphen after the word separates: "bert-worker-3" is worker 3. After "worker_" it is a sign: verl's trainer is worker -1.
  static const RE2 worker(R"((?i)(?:^|[^a-z])worker[-_]?(-?\d+))", RE2::Latin1);
  static const RE2 step_folder(R"((?:^|/)step_(\d+)/[^/]*$)", RE2::Latin1);
  static const RE2 step_tag(R"((?i)(?:^|[^a-z])(?:step|iteration)[-_]?(\d+))", RE2::Latin1);
  // Stages of verl's profiler (verl's file logger).
  static const RE2 role(
      "(actor_update|actor_compute_log_prob|ref_compute_log_prob|compute_values|critic_update|compute_rm_score|"
      "rollout_generate|agent_loop_rollout_replica|train_batch)",
      RE2::Latin1);
  // verl's torch profiler; its nsys reports under Ray.
  static const RE2 pid(R"((?:_pid|^worker_process_)(\d+))", RE2::Latin1);
  // PyTorch's tensorboard_trace_handler: host, pid, and when it was written.
  static const RE2 torch_pid(R"(_(\d+)\.\d{10,}\.pt\.trace\.json)", RE2::Latin1);
  const std::string_view name = last_part(path);
  FileFacts facts;
  facts.stem = stem_without_ending(std::string(name));
  facts.rank = number_in(name, rank);
  if (!facts.rank) facts.rank = number_in(name, paddle);
  facts.worker = number_in(name, worker);
  facts.step = number_in(path, step_folder);
  if (!facts.step) facts.step = number_in(path, step_tag);
  RE2::PartialMatch(piece_of(path), role, &facts.role);
  facts.pid = number_in(name, pid);
  if (!facts.pid) facts.pid = number_in(name, torch_pid);
  facts.phase = phase_of(facts.role);
  return facts;
}

std::optional<std::int64_t> stated_rank(std::string_view distributed_info) {
  static const RE2 number(R"(^(\d+))", RE2::Latin1);
  const std::size_t rank = std::min(own_member(distributed_info, "\"rank\""), distributed_info.size());
  return number_in(distributed_info.substr(rank), number);
}

std::optional<std::int64_t> rank_of(std::string_view path, std::string_view head) {
  // A merged file has only the distributedInfo of its first part. The ids of its processes name their ranks.
  static const RE2 merged(R"("pid"\s*:\s*"\[(?:TP|DP|PP|EP|CP)\d)", RE2::Latin1);
  std::optional<std::int64_t> rank;
  RankFrom from{};
  const std::size_t info = find_text(head, "\"distributedInfo\"", 0);
  if (info != std::string_view::npos && !RE2::PartialMatch(piece_of(head), merged)) {
    if (const auto stated = stated_rank(object_at(head.substr(info, 1024)))) take_rank(rank, from, *stated, RankFrom::Contents);
  }
  const FileFacts facts = facts_of(path);
  if (facts.rank) take_rank(rank, from, *facts.rank, RankFrom::FileName);
  return rank ? rank : facts.worker;
}

LaneSegment source_segment(const FileFacts& facts, const std::string& path) {
  LaneSegment segment;
  segment.key = path;
  segment.name = facts.stem;
  segment.owner.worker = facts.worker;
  if (facts.rank) {
    segment.owner = owned_by_rank(*facts.rank);
    segment.name = segment.owner.member;
    // Each replica numbers its ranks from 0, so the rank alone is not unique.
    const std::string place = place_in_file_name(facts.stem);
    if (place.find('-') != std::string::npos) segment.name += " " + place;
    if (!facts.role.empty()) segment.name += " " + facts.role;
    segment.sort = *facts.rank;
  }
  return segment;
}

void store_facts(const FileFacts& facts, SourceInfo& info) {
  info.rank = facts.rank;
  info.rank_from = RankFrom::FileName;
  info.step = facts.step;
  info.role = facts.role;
  info.pid = facts.pid;
  info.phase = facts.phase;
}

}  // namespace tv
