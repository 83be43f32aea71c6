#include "core/read/perfetto/perfetto_unread.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/base/text/count_text.h"
#include "core/read/perfetto/perfetto_fields.h"

namespace tv {
namespace {

namespace pf = perfetto;

struct PacketName {
  std::uint32_t field;
  std::string_view name;
};
constexpr std::array kPacketNames = std::to_array<PacketName>({{1, "ftrace_events"},
                                                               {4, "inode_file_map"},
                                                               {5, "chrome_events"},
                                                               {7, "sys_stats"},
                                                               {9, "process_stats"},
                                                               {33, "trace_config"},
                                                               {34, "ftrace_stats"},
                                                               {35, "trace_stats"},
                                                               {37, "profile_packet"},
                                                               {38, "battery"},
                                                               {39, "android_log"},
                                                               {40, "power_rails"},
                                                               {45, "system_info"},
                                                               {46, "trigger"},
                                                               {47, "packages_list"},
                                                               {48, "chrome_benchmark_metadata"},
                                                               {49, "perfetto_metatrace"},
                                                               {51, "chrome_metadata"},
                                                               {52, "gpu_counter_event"},
                                                               {53, "gpu_render_stage_event"},
                                                               {54, "streaming_profile_packet"},
                                                               {56, "heap_graph"},
                                                               {57, "graphics_frame_event"},
                                                               {61, "module_symbols"},
                                                               {62, "vulkan_memory_event"},
                                                               {63, "gpu_log"},
                                                               {64, "deobfuscation_mapping"},
                                                               {65, "vulkan_api_event"},
                                                               {66, "perf_sample"},
                                                               {67, "cpu_info"},
                                                               {68, "smaps_packet"},
                                                               {69, "service_event"},
                                                               {70, "initial_display_state"},
                                                               {71, "gpu_mem_total_event"},
                                                               {72, "extension_descriptor"},
                                                               {73, "memory_tracker_snapshot"},
                                                               {74, "streaming_allocation"},
                                                               {75, "streaming_free"},
                                                               {76, "frame_timeline_event"},
                                                               {77, "android_energy_estimation_breakdown"},
                                                               {78, "ui_state"},
                                                               {82, "translation_table"},
                                                               {84, "statsd_atom"},
                                                               {86, "android_system_property"},
                                                               {88, "network_packet"},
                                                               {89, "trace_uuid"},
                                                               {90, "track_event_range_of_interest"},
                                                               {92, "network_packet_bundle"},
                                                               {95, "etw_events"},
                                                               {99, "v8_js_code"},
                                                               {100, "v8_internal_code"},
                                                               {107, "remote_clock_sync"},
                                                               {133, "zstd_compressed_packets"}});

// True for fields that every kind of packet can have, and for those that say nothing about the program.
bool of_every_packet(std::uint32_t field) {
  constexpr std::array<std::uint32_t, 21> kOfAll = {2,  3,  6,  8,  10, 11, 12, 13, 36, 41,       42,
                                                    43, 44, 50, 58, 59, 60, 79, 87, 98, pf::kMark};
  return std::ranges::find(kOfAll, field) != kOfAll.end();
}

}  // namespace

void PerfettoUnread::add(std::uint32_t field) {
  if (!of_every_packet(field)) ++packets_[field];
}

void PerfettoUnread::report(ProblemLog& problems) const {
  for (const auto& [field, count] : packets_) {
    const auto known = std::ranges::find(kPacketNames, field, &PacketName::field);
    const std::string name = known == kPacketNames.end() ? fmt::format("field {}", field) : std::string(known->name);
    problems.add(ProblemKind::unsupported_phase, 0, name + ": " + count_text(count, "packet"));
    if (count > 1) problems.add_count(ProblemKind::unsupported_phase, count - 1);
  }
}

}  // namespace tv
