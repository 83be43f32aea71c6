#include "core/read/nsys/nsys_process.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text/ascii.h"
#include "core/read/file_facts.h"
#include "core/read/nsys/nsys_names.h"

namespace tv {
namespace {

// Range names of verl's workers and its controller, with their roles. Some ranges of workers have the names of timers of the
// controller (`controller_too`). In a process with any range that only the controller has, such a name does not mean a worker.
// Source: verl under Nsight Systems.
struct RangeRole {
  std::string_view range, role;
  bool controller_too = false;
};
constexpr std::string_view kController = "controller";
constexpr RangeRole kRoleOfRange[] = {{"generate_sequences", "rollout"},
                                      {"rollout_generate", "rollout"},
                                      {"update_actor", "actor", true},
                                      {"actor_update", "actor"},
                                      {"compute_log_prob", "actor"},
                                      {"actor_compute_log_prob", "actor"},
                                      {"compute_ref_log_prob", "ref"},
                                      {"ref_compute_log_prob", "ref"},
                                      {"compute_values", "critic"},
                                      {"update_critic", "critic", true},
                                      {"critic_update", "critic"},
                                      {"compute_rm_score", "rm"},
                                      {"gen", kController},
                                      {"old_log_prob", kController},
                                      {"adv", kController},
                                      {"update_weights", kController},
                                      {"save_checkpoint", kController},
                                      {"start_profile", kController}};

constexpr std::pair<std::string_view, std::string_view> kPhaseOfRange[] = {
    {"generate_sequences", "gen"},    {"update_actor", "update_actor"}, {"compute_log_prob", "old_log_prob"},
    {"compute_ref_log_prob", "ref"},  {"compute_values", "values"},     {"update_critic", "update_critic"},
    {"compute_rm_score", "reward"}};

// Words in the title that Ray gives a worker: "ray::WorkerDict.actor_rollout_update_actor".
constexpr std::pair<std::string_view, std::string_view> kRoleOfTitle[] = {
    {"actor", "actor"},        {"rollout", "rollout"},    {"Rollout", "rollout"},
    {"ref", "ref"},            {"critic", "critic"},      {"Critic", "critic"},
    {"reward", "rm"},          {"Reward", "rm"},          {"rm_", "rm"},
    {"TaskRunner", "controller"}, {"main_task", "controller"}, {"_manager", "controller"}};

constexpr std::string_view kRankVariables[] = {"RANK",         "PMI_RANK",   "PMIX_RANK", "OMPI_COMM_WORLD_RANK",
                                               "SLURM_PROCID", "PALS_RANKID"};

// The number in a name such as "step 12", "iteration_3", "ProfilerStep#5" or "global_step_7".
std::optional<std::int64_t> step_in(std::string_view name) {
  std::size_t digits = name.size();
  while (digits > 0 && is_digit(name[digits - 1])) --digits;
  if (digits == name.size() || digits == 0) return std::nullopt;
  std::string_view word = name.substr(0, digits - 1);
  if (std::string_view(" _#:=-").find(name[digits - 1]) == std::string_view::npos) return std::nullopt;
  while (word.ends_with(' ') || word.ends_with(':')) word.remove_suffix(1);
  const bool counted = word.ends_with("step") || word.ends_with("Step") || word == "iteration" || word == "iter";
  return counted ? whole_number(name.substr(digits)) : std::nullopt;
}

// Whether the title contains the words whole: they neither begin nor end inside a word. "RolloutWorker" is two words.
bool title_has(std::string_view title, std::string_view words) {
  const auto is_lower = [](char c) { return is_letter(c) && c == to_lower(c); };
  for (std::size_t at = title.find(words); at != title.npos; at = title.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    const bool begins_inside = at > 0 && is_letter(title[at - 1]) && is_lower(words.front());
    const bool ends_inside = end < title.size() && is_letter(words.back()) && is_lower(title[end]);
    if (!begins_inside && !ends_inside) return true;
  }
  return false;
}

void add_role(std::string& roles, std::string_view role) {
  if (roles.find(role) != std::string::npos) return;
  if (!roles.empty()) roles += ", ";
  roles += role;
}

class ProcessFacts {
 public:
  ProcessFacts(const NsysReportInfo& info, const NsysEvidence& evidence, std::string_view path)
      : info_(info), evidence_(evidence), file_(facts_of(path)) {}

  NsysProcess identify(std::int64_t id) {
    NsysProcess out;
    out.pid = pid_of(id);
    if (const auto title = info_.process_names.find(id); title != info_.process_names.end()) out.title = title->second;
    const auto main_thread = info_.thread_names.find(id | out.pid);
    if (main_thread != info_.thread_names.end() && main_thread->second.starts_with("ray::")) out.title = main_thread->second;
    find_rank(id, out);
    find_role(id, out);
    return out;
  }

 private:
  void add_rank(NsysProcess& process, std::int64_t rank, RankFrom from, std::string evidence) {
    take_rank(process.rank, process.rank_from, rank, from);
    process.facts.push_back({"rank", std::to_string(rank), std::move(evidence)});
  }

  void find_rank(std::int64_t id, NsysProcess& process) {
    const auto mpi = info_.mpi_ranks.find(id);
    if (mpi != info_.mpi_ranks.end()) add_rank(process, mpi->second, RankFrom::Contents, "MPI_RANKS");
    // The threads of a process follow it in the map: their ids begin with its own.
    for (auto thread = evidence_.thread_names.lower_bound(id); thread != evidence_.thread_names.end(); ++thread) {
      constexpr std::string_view kMpi = "MPI Rank ";
      if (global_pid_of(thread->first) != id) break;
      const std::string& name = thread->second;
      if (!name.starts_with(kMpi)) continue;
      if (const auto rank = whole_number(std::string_view(name).substr(kMpi.size()))) {
        add_rank(process, *rank, RankFrom::Contents, fmt::format("NVTX thread name \"{}\"", name));
      }
    }
    if (is_only_process(id)) find_rank_of_launch(process);
    const auto communicator = evidence_.communicators.find(id);
    if (communicator != evidence_.communicators.end()) {
      const auto [size, rank] = communicator->second;
      add_rank(process, rank, RankFrom::Communicator, fmt::format("{} of {} ranks", kByCommunicator, size));
    }
    if (is_only_process(id) && file_.rank) add_rank(process, *file_.rank, RankFrom::FileName, "the file's name");
  }

  void find_rank_of_launch(NsysProcess& process) {
    for (const std::string_view variable : kRankVariables) {
      const auto value = info_.environment.find(variable);
      if (value == info_.environment.end()) continue;
      const auto rank = whole_number(value->second);
      if (!rank) continue;
      add_rank(process, *rank, RankFrom::Contents, fmt::format("captured environment {}=\"{}\"", variable, value->second));
      return;
    }
  }

  // Whether the environment and the file's name are about this process: the only one on a GPU, else the only one with events.
  bool is_only_process(std::int64_t id) const {
    if (!evidence_.gpu_processes.empty()) return evidence_.gpu_processes.size() == 1 && evidence_.gpu_processes.contains(id);
    return evidence_.processes.size() == 1;
  }

  void find_role(std::int64_t id, NsysProcess& process) {
    std::string by_title;
    if (process.title.starts_with("ray::")) {
      for (const auto& [word, role] : kRoleOfTitle) {
        if (title_has(process.title, word)) add_role(by_title, role);
      }
    }
    if (!by_title.empty()) process.facts.push_back({"role", by_title, fmt::format("process title \"{}\"", process.title)});
    std::string by_ranges;
    std::set<std::string> names;
    if (const auto ranges = evidence_.ranges.find(id); ranges != evidence_.ranges.end()) names = ranges->second;
    const bool controls = std::ranges::any_of(kRoleOfRange, [&](const RangeRole& known) {
      return known.role == kController && names.contains(std::string(known.range));
    });
    for (const RangeRole& known : kRoleOfRange) {
      if (names.contains(std::string(known.range)) && !(controls && known.controller_too))
        add_role(by_ranges, known.role);
    }
    if (!by_ranges.empty()) {
      process.facts.push_back({"role", by_ranges, fmt::format("NVTX ranges: {}", fmt::join(names, ", "))});
    }
    std::string by_file(file_.role);
    if (!by_file.empty() && is_only_process(id)) process.facts.push_back({"role", by_file, "the file's path"});
    process.role = !by_title.empty() ? by_title : !by_ranges.empty() ? by_ranges : is_only_process(id) ? by_file : std::string();
  }

  const NsysReportInfo& info_;
  const NsysEvidence& evidence_;
  FileFacts file_;
};

}  // namespace

void NsysEvidence::merge(const NsysEvidence& other) {
  processes.insert(other.processes.begin(), other.processes.end());
  gpu_processes.insert(other.gpu_processes.begin(), other.gpu_processes.end());
  steps.insert(other.steps.begin(), other.steps.end());
  for (const auto& [process, communicator] : other.communicators) {
    auto& known = communicators[process];
    known = std::max(known, communicator);
  }
  for (const auto& [process, names] : other.ranges) ranges[process].insert(names.begin(), names.end());
  for (const auto& [thread, name] : other.thread_names) thread_names.insert_or_assign(thread, name);
  for (const auto& [domain, name] : other.domains) domains.insert_or_assign(domain, name);
}

void NsysEvidence::note_communicator(std::int64_t process, const std::vector<std::pair<std::string, std::string>>& fields) {
  std::optional<std::int64_t> size, rank;
  for (const auto& [name, value] : fields) {
    if (name == "No. of ranks") size = whole_number(value);
    if (name == "Rank") rank = whole_number(value);
  }
  if (!size || !rank || *rank < 0 || *rank >= *size) return;
  auto& known = communicators[process];
  known = std::max(known, {*size, *rank});
}

void NsysEvidence::note(std::int64_t process, std::string_view name) {
  const bool known = std::ranges::any_of(kRoleOfRange, [&](const RangeRole& range) { return range.range == name; });
  if (known) ranges[process].emplace(name);
  if (const auto step = step_in(name)) steps.insert(*step);
}

std::map<std::int64_t, NsysProcess> nsys_processes(const NsysReportInfo& info, const NsysEvidence& evidence,
                                                   std::string_view path) {
  ProcessFacts facts(info, evidence, path);
  std::map<std::int64_t, NsysProcess> out;
  for (const std::int64_t id : evidence.processes) out.emplace(id, facts.identify(id));
  return out;
}

void describe_report(const NsysReportInfo& info, const NsysEvidence& evidence,
                     const std::map<std::int64_t, NsysProcess>& processes, SourceInfo& source) {
  const FileFacts file = facts_of(source.path);
  source.host = info.host;
  source.by_row = true;
  const auto add_fact = [&](std::string what, std::string value, std::string evidence_text) {
    if (!value.empty()) source.facts.push_back({std::move(what), std::move(value), std::move(evidence_text)});
  };
  add_fact("report", info.product_version.empty() ? info.schema_version
                                                  : fmt::format("Nsight Systems {}, schema {}", info.product_version, info.schema_version),
           "export's own data");
  source.zone_east = info.zone_east;
  if (info.zone_east)
    add_fact("time zone", zone_name(*info.zone_east), "utcTime and localTime of TARGET_INFO_SESSION_START_TIME");
  add_fact("command", info.command, "captured");
  // The process that the report is about: the one on a GPU, else the only one.
  const NsysProcess* about = nullptr;
  for (const auto& [id, process] : processes) {
    const bool candidate = evidence.gpu_processes.empty() ? processes.size() == 1 : evidence.gpu_processes.contains(id);
    if (!candidate) continue;
    about = evidence.gpu_processes.size() > 1 ? nullptr : &process;
  }
  for (const auto& [id, process] : processes) {
    const std::string who = processes.size() > 1 ? fmt::format(" of pid {}", process.pid) : std::string();
    for (const SourceFact& fact : process.facts) source.facts.push_back({fact.what + who, fact.value, fact.evidence});
  }
  if (about) {
    source.rank = about->rank;
    source.rank_from = about->rank_from;
    source.role = about->role;
    source.pid = about->pid;
    add_fact("pid", std::to_string(about->pid), "the process with events");
  } else if (processes.empty() || evidence.gpu_processes.empty()) {
    source.pid = file.pid;
  }
  if (file.pid) add_fact("pid", std::to_string(*file.pid), "the file's name");
  if (file.step) {
    source.step = file.step;
    add_fact("step", std::to_string(*file.step), "the file's path");
  }
  if (evidence.steps.size() == 1) {
    if (!source.step) source.step = *evidence.steps.begin();
    add_fact("step", std::to_string(*evidence.steps.begin()), "NVTX ranges");
  } else if (evidence.steps.size() > 1) {
    add_fact("steps", fmt::format("{} to {}", *evidence.steps.begin(), *evidence.steps.rbegin()), "NVTX ranges");
  }
  // A trainer's phase, if the report shows only one.
  std::set<std::string_view> phases;
  for (const auto& [process, names] : evidence.ranges) {
    for (const auto& [range, phase] : kPhaseOfRange) {
      if (names.contains(std::string(range))) phases.insert(phase);
    }
  }
  if (phases.size() == 1) source.phase = *phases.begin();
  for (const auto& [name, text] : info.output) add_fact("output", text, name);
}

}  // namespace tv
