// How write_kineto's slices, launches and metadata are written to the file. Everything written is counted here, once.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/big_output.h"

namespace tv::test {

struct KinetoCollective {
  std::int64_t elements = 0;
  std::uint64_t sequence = 0;
  int group = 0;
};

/// A slice of a CPU thread. Times are as in the file.
struct KinetoSlice {
  enum class Kind : std::uint8_t { Op, Annotation, Python };
  Kind kind{};
  NameId name{};
  Ns begin = 0, duration = 0;
  std::uint64_t id = 0;      ///< external id, or Python id
  std::uint64_t parent = 0;  ///< record function id, or the calling frame's Python id; 0: none
  std::uint64_t index = 0;
  std::uint64_t sequence = 0;  ///< joins an operator with its backward pass; 0: none
  std::uint64_t arrow = 0;     ///< id of the arrow between these two; 0: none
  const std::string* shapes = nullptr;
  std::optional<KinetoCollective> collective;
};

struct KinetoMemory {
  Ns time = 0;
  std::int64_t bytes = 0, allocated = 0;
  std::uint64_t index = 0;
};

struct KinetoThread {
  int tid = 0;
  std::string_view name;
  TrackId lane{};
  bool backward = false;  ///< arrows end on this thread
  Ns now = 0;
  std::vector<std::uint64_t> stack;  ///< Python ids of open calls
  std::vector<KinetoSlice> slices;
  std::vector<KinetoMemory> memory;
};

struct KinetoStream {
  int id = 0;
  int group = 0;  ///< process group of its collectives
  TrackId lane{}, annotations{};
  Ns free = 0, last_begin = 0;
  Ns range_begin = 0;  ///< first begin since it was set to 0
};

/// A runtime call with what it started on the GPU, if anything.
struct KinetoLaunch {
  enum class Kind : std::uint8_t { Kernel, Copy, Set };
  Kind kind = Kind::Kernel;
  const KinetoThread* thread = nullptr;
  NameId runtime{};
  int callback = 0;
  Ns begin = 0, duration = 0;
  std::uint64_t correlation = 0, external_id = 0;
  KinetoStream* stream = nullptr;  ///< null: starts nothing
  NameId name{};
  Ns gpu_begin = 0, gpu_duration = 0;
  std::int64_t bytes = 0;
  const std::string* args = nullptr;
  std::optional<KinetoCollective> collective;
};

/// A user range as shown next to a stream.
struct KinetoRange {
  const KinetoStream* stream = nullptr;
  NameId name{};
  Ns begin = 0, duration = 0;
  std::uint64_t external_id = 0;
};

struct KinetoRuntimeWords {
  explicit KinetoRuntimeWords(Tally& tally);
  NameId launch_kernel, launch_kernel_ex, copy, set, synchronize, get_attribute;
  NameId to_device, to_host, zero, all_reduce_kernel;
  NameId collective_op, record_comms, all_reduce_range;
  NameId accumulate_outer, accumulate, detach, fused_adam;
  NameId run_backward, optimizer, forward, train_step, pin_loop, next_batch, wrapped_call, call_module;
};

class KinetoText {
 public:
  KinetoText(const KinetoPlan& plan, const Sink& sink);

  Tally& tally() { return tally_; }
  std::uint64_t bytes() { return out_.bytes(); }
  /// Where the file's times begin.
  Ns first_time() const;
  KinetoThread thread(int number, std::string_view name);
  KinetoStream stream(int id, int group);

  void head();
  /// Operators and annotations of a thread with their arrows, then its memory instants.
  void operators(const KinetoThread& thread);
  void python(const KinetoThread& thread);
  void launch(const KinetoLaunch& launch);
  void range(const KinetoRange& range);
  void counter(std::string_view metric, Ns time, std::int64_t value);
  /// Names and order of processes and threads, the profiler's own span, and the end of the file.
  void tail(std::initializer_list<const KinetoThread*> threads, std::initializer_list<const KinetoStream*> streams,
            Ns begin, Ns end);
  BigTruth truth() { return tally_.truth(out_.bytes()); }

 private:
  void next_event() { out_.text(std::exchange(any_event_, true) ? ",\n" : ""); }
  void begin_slice(std::string_view category, NameId name, int pid, int tid, TrackId lane, Ns begin, Ns duration);
  void flow(char phase, std::string_view category, std::uint64_t id, int pid, int tid, Ns time);
  void collective(const KinetoCollective& collective);
  void metadata(std::string_view kind, int pid, int tid, Ns time, std::string_view field, std::string_view value);
  void name_process(int pid, std::string_view label, std::int64_t sort, Ns time);
  void name_thread(int pid, int tid, std::string_view name, Ns time);
  void clock_base(std::string_view after);

  const KinetoPlan& plan_;
  TextOut out_;
  Tally tally_;
  const Ns base_;  // added to the file's times gives absolute ones
  const int pid_, device_;
  const std::string ranks_;  // of the collectives' groups
  bool any_event_ = false;
};

}  // namespace tv::test
