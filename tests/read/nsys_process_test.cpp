#include "core/read/nsys/nsys_process.h"

#include <doctest/doctest.h>

using namespace tv;

namespace {

constexpr std::int64_t kRayProcess = (std::int64_t{1} << 48) | (std::int64_t{4711} << 24);

std::string role_of(const std::string& title) {
  NsysReportInfo info;
  info.process_names[kRayProcess] = title;
  NsysEvidence evidence;
  evidence.processes.insert(kRayProcess);
  return nsys_processes(info, evidence, "report.sqlite").at(kRayProcess).role;
}

}  // namespace

TEST_CASE("nsys_process: the title that Ray gives a worker states its roles, in whole words") {
  CHECK(role_of("ray::WorkerDict.actor_rollout_update_actor") == "actor, rollout");
  CHECK(role_of("ray::WorkerDict.actor_rollout_compute_ref_log_prob") == "actor, rollout, ref");
  CHECK(role_of("ray::WorkerDict.critic_compute_values") == "critic");
  CHECK(role_of("ray::WorkerDict.rm_compute_rm_score") == "rm");
  CHECK(role_of("ray::RolloutWorker.run") == "rollout");
  CHECK(role_of("ray::vLLMRollout") == "rollout");
  CHECK(role_of("ray::RewardManager2.run") == "rm");
  CHECK(role_of("ray::TaskRunner.run") == "controller");
  CHECK(role_of("ray::main_task") == "controller");
  CHECK(role_of("ray::loop_manager.run") == "controller");

  CHECK(role_of("ray::WorkerDict.rollout_prefill") == "rollout");
  CHECK(role_of("ray::WorkerDict.actor_warm_up") == "actor");
  CHECK(role_of("ray::WorkerDict.actors_refresh") == "");
  CHECK(role_of("ray::Rollouts.perform_all") == "");
  CHECK(role_of("/usr/bin/actor") == "");  // not Ray's
}
