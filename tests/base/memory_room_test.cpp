#include "core/base/memory/memory_room.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/memory/memory.h"

using namespace tv;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kGb = 1'000'000'000;

// A folder with the proc and sys files of a made-up machine.
class FakeMachine {
 public:
  FakeMachine() : root_(fs::temp_directory_path() / ("tv_memory_room_" + std::to_string(++made) + "_" + std::to_string(std::uintptr_t(this)))) {
    fs::remove_all(root_);
    put("proc/meminfo", "MemTotal: 64000000 kB\nMemAvailable: 50000000 kB\n");
  }
  ~FakeMachine() { fs::remove_all(root_); }
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;

  void put(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  // A cgroup of version 2.
  void group(const std::string& path, const std::string& most, std::uint64_t used, std::uint64_t inactive, std::uint64_t active) const {
    const std::string folder = "sys/fs/cgroup" + path + "/";
    put(folder + "memory.max", most + "\n");
    put(folder + "memory.current", std::to_string(used) + "\n");
    put(folder + "memory.stat", "anon 1\ninactive_file " + std::to_string(inactive) + "\nactive_file " + std::to_string(active) + "\n");
  }
  std::optional<std::uint64_t> room() const { return memory_room(root_.string()); }

 private:
  static inline int made = 0;
  fs::path root_;
};

}  // namespace

TEST_CASE("memory_room: is the available memory of the system, and none where that is unknown") {
  const FakeMachine machine;
  CHECK(machine.room() == 50000000ull << 10);
  CHECK_FALSE(memory_room("/no/such/folder"));
  CHECK(available_memory() > 1 << 20);
}

TEST_CASE("memory_room: the file cache of a cgroup counts as free") {
  const FakeMachine machine;
  machine.group("", "8000000000", 7'900'000'000, 6'000'000'000, 1'500'000'000);
  CHECK(machine.room() == 8 * kGb - 400'000'000);
  machine.group("", "max", 7'900'000'000, 0, 0);
  CHECK(machine.room() == 50000000ull << 10);
  machine.group("", "1000", 5000, 0, 0);  // over its limit
  CHECK(machine.room() == 0);
}

TEST_CASE("memory_room: the tightest of nested cgroups applies") {
  const FakeMachine machine;
  machine.put("proc/self/cgroup", "0::/job/step/task\n");
  machine.put("proc/self/mountinfo", "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  machine.group("/job/step/task", "max", 0, 0, 0);
  machine.group("/job/step", "5000000000", kGb, 0, 0);
  machine.group("/job", "3000000000", kGb, 0, kGb / 2);
  CHECK(machine.room() == 2 * kGb + kGb / 2);
  machine.group("/job/step/task", "700000000", 0, 0, 0);
  CHECK(machine.room() == 700'000'000);
}

TEST_CASE("memory_room: a mount that starts at an inner cgroup is resolved") {
  const FakeMachine machine;
  machine.put("proc/self/cgroup", "0::/pods/one/main\n");
  machine.put("proc/self/mountinfo", "29 23 0:26 /pods/one /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  machine.group("/main", "4000000000", kGb, 0, 0);
  machine.group("", "9000000000", kGb, 0, 0);
  CHECK(machine.room() == 3 * kGb);
}

TEST_CASE("memory_room: limits of cgroup version 1 apply") {
  const FakeMachine machine;
  machine.put("proc/self/cgroup", "7:cpu,cpuacct:/x\n4:memory:/slurm/job_1\n");
  machine.put("proc/self/mountinfo", "30 23 0:27 / /cg/mem rw - cgroup cgroup rw,memory\n31 23 0:28 / /cg/cpu rw - cgroup cgroup rw,cpu\n");
  machine.put("cg/mem/slurm/job_1/memory.limit_in_bytes", "9223372036854771712\n");
  machine.put("cg/mem/slurm/job_1/memory.usage_in_bytes", "123\n");
  CHECK(machine.room() == 50000000ull << 10);
  machine.put("cg/mem/slurm/memory.limit_in_bytes", "700000000\n");
  machine.put("cg/mem/slurm/memory.usage_in_bytes", "600000000\n");
  machine.put("cg/mem/slurm/memory.stat", "inactive_file 7\ntotal_inactive_file 200000000\ntotal_active_file 100000000\n");
  CHECK(machine.room() == 400'000'000);
}

TEST_CASE("memory_room: resource limits of the process apply") {
  const FakeMachine machine;
  const std::string row = "Limit  Soft Limit  Hard Limit  Units\n";
  machine.put("proc/self/status", "VmSize:\t 100000 kB\nVmData:\t  50000 kB\n");
  machine.put("proc/self/limits", row + "Max data size             unlimited   unlimited  bytes\nMax address space         unlimited   unlimited  bytes\n");
  CHECK(machine.room() == 50000000ull << 10);
  machine.put("proc/self/limits", row + "Max address space         1024000000  unlimited  bytes\n");
  CHECK(machine.room() == 1024000000 - (100000ull << 10));
  machine.put("proc/self/limits", row + "Max data size             51200001    unlimited  bytes\n");
  CHECK(machine.room() == 1);
}
