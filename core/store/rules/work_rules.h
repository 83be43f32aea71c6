// What slices of accelerators are, judged by their names and categories: which categories are work on a device, which names are
// communication, which processes are devices. The rules are tables (work_rules.cpp), each line with its source. Panels, colours,
// sums and the fitting of clocks all use them, so a new vendor or library needs only a line in a table.
//
//   void deep_ep::internode::dispatch<false, 8>(int)      the name as written
//   deep_ep::internode::dispatch                          its own name, in lower case, which rules look at: text in template
//                                                         arguments and parameters says nothing about a kernel
//
// A pattern is lower case and must match the whole name; `*` matches any text. The first matching rule decides, so names that only
// look like communication come before the pattern that would match them.
// Cost: 0.6 us per kernel name; never called per slice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

enum class DeviceWork : std::uint8_t {
  None,           ///< not on a device, or only waiting for an event
  Compute,        ///< a kernel
  Communication,  ///< a kernel that communicates: see communication_rules()
  Memory,         ///< a copy or a memset
  Graph,          ///< a whole graph: whether it computes or communicates was not recorded
};
inline constexpr std::size_t kDeviceWorks = 5;

enum class CommunicationKind : std::uint8_t {
  Collective,    ///< all ranks take part, and leave it together
  PointToPoint,  ///< a send or a receive
  Transfer,      ///< one-sided puts and gets, tokens to experts and back, and their preparation: ranks leave it separately
  Fused,         ///< computes and communicates in one kernel: counts as computing
  Local,         ///< its name has words of communication, but it uses one device only
};

struct CommunicationRule {
  std::string_view pattern;
  std::string_view family;  ///< "NCCL", for people
  CommunicationKind kind;
  std::string_view source;

  bool communicates() const { return kind < CommunicationKind::Fused; }
};

/// The rules for kernels, first to last.
std::span<const CommunicationRule> communication_rules();
/// The first rule that matches a kernel's name, even one that does not communicate; null if none does.
const CommunicationRule* communication_rule(std::string_view kernel);
/// The library behind communication on a CPU thread: c10d::allreduce_, nccl:all_reduce, gloo:broadcast. Empty for other names. This
/// is not part of a device's time.
std::string_view cpu_communication(std::string_view category, std::string_view name);

/// A kernel's name without return type, template arguments and parameters, in lower case.
std::string own_kernel_name(std::string_view name);
/// For patterns typed by users: without a `*` they may match anywhere in the text. Both in lower case.
bool fits_pattern(std::string_view text, std::string_view pattern);

/// The table, preceded by the user's additions and exceptions: "my_exchange|-*layout*" makes kernels with my_exchange in their
/// names communication, except those with layout. Case is ignored; a comma also separates. The user's patterns see the whole name.
class CommunicationRules {
 public:
  CommunicationRules() = default;
  explicit CommunicationRules(std::string_view own);

  struct Fit {
    std::string pattern, family;
    CommunicationKind kind = CommunicationKind::Collective;
    bool operator==(const Fit&) const = default;
  };
  /// None: not communication, including matches that do not communicate.
  std::optional<Fit> communication(std::string_view kernel) const;
  bool has_own() const { return !own_.empty(); }
  bool operator==(const CommunicationRules&) const = default;

 private:
  struct Own {
    std::string pattern;
    bool excludes = false;
    bool operator==(const Own&) const = default;
  };
  std::vector<Own> own_;
};

// Categories, as written by kineto and by the readers of other formats.

enum class CategoryKind : std::uint8_t {
  Other,
  Kernels,    ///< on a device
  Memory,     ///< copies and memsets of a device
  Graphs,     ///< whole graphs on a device
  Tasks,      ///< on a device; the name tells the kind
  Api,        ///< calls of a runtime or driver on CPU threads
  Ranges,     ///< marked by the program, on CPU threads
  Projected,  ///< such ranges, projected to the time of the work they launched on a device
  NoWork,     ///< waiting and events, including those on a device's lane
  Host,       ///< anything else on CPU threads
};
CategoryKind category_kind(std::string_view category);
/// Whether slices with this category make their lane a device's lane.
bool is_device_category(std::string_view category);

/// The kind of work of a slice. If its category is empty or has no rule, `on_device` decides, which only the caller knows: on a
/// device's lane (LaneKind::Stream) the slice is a task.
DeviceWork device_work(std::string_view category, std::string_view name, const CommunicationRules& rules = {},
                       bool on_device = false);

// Processes of a trace: which one is a device.

struct NamedDevice {
  std::string_view word;    ///< "GPU", "NPU", "XPU", "MTIA" ...; empty: not a device's name
  std::string_view number;  ///< "3", or "4" of an HSA agent "agent 4"; empty: no number
};
/// Parses "GPU 3", "GPU 0 NVIDIA H100", "GPU0", "6 GPU0" and "/device:GPU:0".
NamedDevice named_device(std::string_view name);
std::string_view device_word(std::string_view name);

/// The content of a thread of a device's process, if neither categories nor labels tell.
enum class DeviceLane : std::uint8_t {
  Unknown,
  Stream,
  Operators,  ///< the streams' work by operator; the only lane of work if a trace has no streams (TPU)
  Repeats,    ///< steps, modules, scopes, which repeat the work of other lanes
};
DeviceLane device_lane(std::string_view thread_name);

enum class ProcessKind : std::uint8_t {
  Host,
  Device,   ///< its threads are streams
  Part,     ///< one of several processes of one device: streams, collectives
  Derived,  ///< sums of a device's work made by a profiler, not work itself
};
struct DeviceProcess {
  ProcessKind kind = ProcessKind::Host;
  std::string device;  ///< for a Part: the device's name, "NPU 3"
};
/// By the metadata of Chrome's format: process_name, process_labels, and the process id, in which some profilers store the device
/// number.
DeviceProcess device_process(std::string_view name, std::string_view labels, std::string_view pid);

}  // namespace tv
