#include "core/store/draft/lane_owner.h"

#include <doctest/doctest.h>

namespace tv {

TEST_CASE("lane_owner: rank, worker, device and pid are found in a name") {
  const auto owner_by_name = [](std::string_view name) { return tv::owner_by_name(name, true); };
  CHECK(gpu_number(owner_by_name("/device:GPU:3")) == 3);
  CHECK(!gpu_number(owner_by_name("NPU 3")));
  CHECK(owner_by_name("rank 3 actor, ref, pid 4711") == LaneOwner{.member = "rank 3", .rank = 3, .pid = 4711});
  CHECK(owner_by_name("worker 12") == LaneOwner{.member = "worker 12", .worker = 12});
  CHECK(owner_by_name("worker 7, run 2") == LaneOwner{.member = "worker 7", .worker = 7});
  CHECK(owner_by_name("TP01-DP00") == LaneOwner{.member = "TP01-DP00"});
  CHECK(owner_by_name("TP03") == LaneOwner{.member = "TP03", .rank = 3});
  CHECK(owner_by_name("GPU 0 NVIDIA H100 80GB HBM3") == LaneOwner{.device = "GPU 0"});
  CHECK(owner_by_name("/device:GPU:3") == LaneOwner{.device = "GPU 3"});
  CHECK(owner_by_name("GPU") == LaneOwner{.device = "GPU"});
  CHECK(owner_by_name("pid 4711") == LaneOwner{.pid = 4711});
  for (const char* const nobody : {"", "rank", "rank of all", "rapid 5", "worker", "worker x", "worker 1x", "python", "pid", "pid x", "thread", "stream", "threads 5",
                                 "thread5", "stream x"}) {
    CAPTURE(nobody);
    CHECK(owner_by_name(nobody) == LaneOwner());
  }
}

TEST_CASE("lane_owner: threads and streams are found in a name") {
  CHECK(owner_by_name("thread 1375 (pt_main_thread)", false) == LaneOwner{.thread = 1375});
  CHECK(owner_by_name("pt_main_thread 4711", false) == LaneOwner{.thread = 4711});
  CHECK(owner_by_name("thread main 5, thread 6", false) == LaneOwner{.thread = 6});
  CHECK(owner_by_name("stream 7 annotations", false) == LaneOwner{.stream = 7});
  CHECK(owner_by_name("Stream #14(Compute)", false).stream == 14);
  CHECK(owner_by_name("STREAM_3", false).stream == 3);
  CHECK_FALSE(owner_by_name("upstream 3", false).stream);
  CHECK(owner_by_name("stream #16(Compute)", false) == LaneOwner{.stream = 16});
  CHECK(owner_by_name("thread pool 5, stream 3", true) == LaneOwner());
  LaneOwner owner;
  note_thread_of_calls("NVTX", "python 4711", owner);
  CHECK(owner == LaneOwner());
  note_thread_of_calls("CUDA API", "python 4711", owner);
  CHECK(owner == LaneOwner{.thread = 4711});
}

TEST_CASE("lane_owner: only the name of a process may have its rank in the middle") {
  CHECK(owner_by_name("Rank 1 - GPU streams", true) == LaneOwner{.member = "rank 1", .rank = 1});
  CHECK(owner_by_name("VLLM Worker_DP0_TP1 10", true) == LaneOwner{.member = "DP0-TP1"});
  CHECK(owner_by_name("DP4_base", true) == LaneOwner{.member = "DP4", .rank = 4});
  for (const char* const name : {"Rank 1 - GPU streams", "VLLM Worker_DP0_TP1 10", "DP4_base", "NCCL rank 3 proxy"}) {
    CAPTURE(name);
    CHECK(owner_by_name(name, false) == LaneOwner());
  }
}

TEST_CASE("lane_owner: the pid at the end of a name can be removed, and words can be put before it") {
  const LaneOwner owner{.pid = 47};
  CHECK(without_pid("rank 3 actor, before, pid 47", owner) == "rank 3 actor, before");
  CHECK(without_pid("pid 47", owner) == "");
  CHECK(without_pid("pid 47, before", owner) == "pid 47, before");
  CHECK(without_pid("rank 3, pid 47, pid 48", owner) == "rank 3, pid 47, pid 48");
  CHECK(without_pid("rank 3, pid 47", LaneOwner()) == "rank 3, pid 47");
  CHECK(with_words("rank 3 actor, pid 47", owner, "before") == "rank 3 actor, before, pid 47");
  CHECK(with_words("pid 47", owner, "before") == "pid 47, before");
  CHECK(with_words("rank 3", LaneOwner(), "before") == "rank 3, before");
}

}  // namespace tv
