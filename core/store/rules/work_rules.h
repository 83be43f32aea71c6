// Rules for slices and processes of accelerators: which categories are work on a device, which kernels communicate, which
// processes are devices. The rules are tables (work_rules.cpp), each line with its source. Panels, colours, sums and the fitting
// of clocks all use them, so a new vendor or library needs only a line in a table.
//
//   void deep_ep::internode::dispatch<false, 8>(int)      the name of a kernel as written
//   deep_ep::internode::dispatch                          the part of it that rules are compared with, in lower case: template
//                                                         arguments and parameters say nothing about a kernel
//
// A pattern is lower case and must match the whole name; `*` matches any text. The first rule that matches decides, so rules for
// names that only look like communication come before the rules whose patterns match these names, too.
// Cost: 0.6 us per kernel name; never called for each slice.
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
  Communication,  ///< a kernel that communicates (communication_rules())
  Memory,         ///< a copy or a memset
  Graph,          ///< a whole graph; the trace does not say whether it computes or communicates
};
inline constexpr std::size_t kDeviceWorks = 5;

enum class CommunicationKind : std::uint8_t {
  Collective,    ///< all ranks take part, and leave it together
  PointToPoint,  ///< a send or a receive
  Transfer,      ///< one-sided puts and gets, tokens to experts and back, and their preparation: each rank leaves it on its own
  Fused,         ///< computes and communicates in one kernel; counts as computing
  Local,         ///< its name looks like communication, but it uses only one device
};

struct CommunicationRule {
  std::string_view pattern;
  std::string_view family;  ///< name of the library for users: "NCCL"
  CommunicationKind kind;
  std::string_view source;

  bool communicates() const { return kind < CommunicationKind::Fused; }
};

/// The rules for kernels, first to last.
std::span<const CommunicationRule> communication_rules();
/// The first rule that matches a kernel's name, even if it says that the kernel does not communicate. Null: no rule matches.
const CommunicationRule* communication_rule(std::string_view kernel);
/// The library of a communication on a CPU thread: c10d::allreduce_, nccl:all_reduce, gloo:broadcast. Empty for other names. Such
/// slices are not part of a device's time.
std::string_view cpu_communication(std::string_view category, std::string_view name);

/// A kernel's name without return type, template arguments and parameters, in lower case.
std::string own_kernel_name(std::string_view name);
/// Whether a text matches a pattern typed by the user, which without a `*` may match anywhere. Both must be in lower case.
bool fits_pattern(std::string_view text, std::string_view pattern);

/// The user's exceptions decide first, then the user's additions, then the table. With "my_exchange|-layout", kernels with
/// my_exchange in their names communicate, except those with layout. A comma separates patterns, too. Case is ignored. Unlike
/// rules of the table, these patterns are compared with the whole name of a kernel.
class CommunicationRules {
 public:
  CommunicationRules() = default;
  explicit CommunicationRules(std::string_view user_patterns);

  struct Fit {
    std::string pattern, family;
    CommunicationKind kind = CommunicationKind::Collective;
    bool operator==(const Fit&) const = default;
  };
  /// Nullopt: the kernel does not communicate.
  std::optional<Fit> communication(std::string_view kernel) const;
  bool has_user_patterns() const { return !user_patterns_.empty(); }
  bool operator==(const CommunicationRules&) const = default;

 private:
  struct UserPattern {
    std::string pattern;
    bool excludes = false;
    bool operator==(const UserPattern&) const = default;
  };
  std::vector<UserPattern> user_patterns_;
};

// Categories, as kineto and our readers of other formats write them.

enum class CategoryKind : std::uint8_t {
  Other,
  Kernels,    ///< on a device
  Memory,     ///< copies and memsets of a device
  Graphs,     ///< whole graphs on a device
  Tasks,      ///< work on a device whose kind the name shows
  Api,        ///< calls of a runtime or driver on CPU threads
  Ranges,     ///< ranges that the program marked, on CPU threads
  Projected,  ///< such ranges, projected to the time of the work that they launched on a device
  NoWork,     ///< waiting and events, even on a device's lane
  Host,       ///< anything else on CPU threads
};
CategoryKind category_kind(std::string_view category);
/// Whether a lane with slices of this category is a device's lane.
bool is_device_category(std::string_view category);

/// The kind of work of a slice. `on_device`: whether the slice is on a device's lane (LaneKind::Stream). It decides if the
/// category is empty or has no rule: then such a slice is a task.
DeviceWork device_work(std::string_view category, std::string_view name, const CommunicationRules& rules = {},
                       bool on_device = false);

// Which processes of a trace are devices.

struct NamedDevice {
  std::string_view word;    ///< "GPU", "NPU", "XPU", "MTIA" ...; empty: not a device's name
  std::string_view number;  ///< "3", or "agent 4" for an HSA agent; empty: no number
};
/// Parses "GPU 3", "GPU 0 NVIDIA H100", "GPU0", "6 GPU0" and "/device:GPU:0".
NamedDevice named_device(std::string_view name);
std::string_view device_word(std::string_view name);

/// What a thread of a device's process contains, judged by its name. Used if neither categories nor labels show it.
enum class DeviceLane : std::uint8_t {
  Unknown,
  Stream,
  Operators,  ///< the work of the streams, by operator; the only lane of work in traces without streams (TPU)
  Repeats,    ///< steps, modules or scopes: the work of other lanes again
};
DeviceLane device_lane(std::string_view thread_name);

enum class ProcessKind : std::uint8_t {
  Host,
  Device,   ///< its threads are streams
  Part,     ///< one of several processes for one device: streams, collectives
  Derived,  ///< sums that a profiler made from a device's work; not work itself
};
struct DeviceProcess {
  ProcessKind kind = ProcessKind::Host;
  std::string device;  ///< for a Part: the device's name, "NPU 3"
};
/// Judges by metadata of Chrome's format: process_name, process_labels, and the process id, in which some profilers store the
/// number of the device.
DeviceProcess device_process(std::string_view name, std::string_view labels, std::string_view pid);

}  // namespace tv
