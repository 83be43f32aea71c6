#include "core/read/verl/verl_events.h"

#include <algorithm>
#include <array>

namespace tv {
namespace {

struct KnownEvent {
  std::string_view written;  // the name in the log of any version of verl
  VerlEvent event;
};

constexpr VerlPlace kWorker = VerlPlace::Worker, kRequest = VerlPlace::Request;

// Sorted by `written`, for the binary search.
constexpr std::array kKnownEvents = {
    KnownEvent{"async_generate", {"async_generate_duration", "phase", kWorker}},
    KnownEvent{"async_generate_duration", {"async_generate_duration", "phase", kWorker}},
    KnownEvent{"async_rollout_request_complete", {"async_rollout_request_complete", "request", kRequest}},
    KnownEvent{"barrier", {"barrier_wait_duration", "wait", kWorker}},
    KnownEvent{"barrier_wait_duration", {"barrier_wait_duration", "wait", kWorker}},
    KnownEvent{"batch_construction", {"batch_construction_duration", "phase", kWorker}},
    KnownEvent{"batch_construction_duration", {"batch_construction_duration", "phase", kWorker}},
    KnownEvent{"broadcast", {"broadcast_duration", "phase", kWorker}},
    KnownEvent{"broadcast_duration", {"broadcast_duration", "phase", kWorker}},
    KnownEvent{"cache_flush", {"cache_flush_duration", "phase", kWorker}},
    KnownEvent{"cache_flush_duration", {"cache_flush_duration", "phase", kWorker}},
    KnownEvent{"concatenation", {"concatenation_duration", "phase", kWorker}},
    KnownEvent{"concatenation_duration", {"concatenation_duration", "phase", kWorker}},
    KnownEvent{"data_extraction", {"data_extraction_duration", "phase", kWorker}},
    KnownEvent{"data_extraction_duration", {"data_extraction_duration", "phase", kWorker}},
    KnownEvent{"engine_async_generate", {"engine_async_generate", "engine", kRequest}},
    KnownEvent{"engine_async_generate_actual", {"engine_async_generate_actual", "engine", kRequest}},
    KnownEvent{"engine_call", {"engine_call", "engine", kRequest}},
    KnownEvent{"engine_generate_setup", {"engine_generate_setup", "engine", kRequest}},
    KnownEvent{"final_construction", {"final_construction_duration", "phase", kWorker}},
    KnownEvent{"final_construction_duration", {"final_construction_duration", "phase", kWorker}},
    KnownEvent{"finalization", {"finalization", "request", kRequest}},
    KnownEvent{"interacting_state", {"interacting_state", "tool", kRequest}},
    KnownEvent{"interaction_response", {"interaction_response", "tool", kRequest}},
    KnownEvent{"interaction_start_pending_state", {"interaction_start_pending_state", "request", kRequest}},
    KnownEvent{"main_loop", {"main_loop", "request", kRequest}},
    KnownEvent{"padding", {"padding_duration", "phase", kWorker}},
    KnownEvent{"padding_duration", {"padding_duration", "phase", kWorker}},
    KnownEvent{"pending_state_handling", {"pending_state_handling", "request", kRequest}},
    KnownEvent{"preprocessing", {"preprocessing_duration", "phase", kWorker}},
    KnownEvent{"preprocessing_duration", {"preprocessing_duration", "phase", kWorker}},
    KnownEvent{"request_start", {"request_start", "request", kRequest}},
    KnownEvent{"reward_calculation", {"reward_calculation", "reward", kRequest}},
    KnownEvent{"reward_duration", {"reward_duration", "reward", kWorker}},
    KnownEvent{"running_state", {"running_state", "request", kRequest}},
    KnownEvent{"sorting", {"sorting_duration", "phase", kWorker}},
    KnownEvent{"sorting_duration", {"sorting_duration", "phase", kWorker}},
    KnownEvent{"step_response_length_stats", {"step_response_length_stats", "phase", kWorker}},
    KnownEvent{"tool_calling_state", {"tool_calling_state", "tool", kRequest}},
    KnownEvent{"tool_creation_pending_state", {"tool_creation_pending_state", "request", kRequest}},
    KnownEvent{"tool_execution", {"tool_execution", "tool", kRequest}},
    KnownEvent{"tool_parsing", {"tool_parsing", "turn", kRequest}},
    KnownEvent{"tool_response_processing", {"tool_response_processing", "tool", kRequest}},
    KnownEvent{"total", {"total_step_duration", "step", kWorker}},
    KnownEvent{"total_step_duration", {"total_step_duration", "step", kWorker}},
    KnownEvent{"turn_end", {"turn_end", "turn", kRequest}},
    KnownEvent{"turn_engine_call", {"turn_engine_call", "engine", kRequest}},
    KnownEvent{"turn_post_process", {"turn_post_process", "turn", kRequest}},
    KnownEvent{"turn_pre_process", {"turn_pre_process", "turn", kRequest}},
    KnownEvent{"turn_start", {"turn_start", "turn", kRequest}},
    KnownEvent{"turn_tool_parsing", {"turn_tool_parsing", "turn", kRequest}},
};
static_assert(std::is_sorted(kKnownEvents.begin(), kKnownEvents.end(),
                             [](const KnownEvent& a, const KnownEvent& b) { return a.written < b.written; }));

}  // namespace

VerlEvent verl_event(std::string_view name, bool has_request) {
  const auto known = std::lower_bound(kKnownEvents.begin(), kKnownEvents.end(), name,
                                      [](const KnownEvent& a, std::string_view b) { return a.written < b; });
  if (known != kKnownEvents.end() && known->written == name) return known->event;
  return {name, has_request ? "request" : "phase", has_request ? kRequest : kWorker};
}

bool begins_step(std::string_view canonical_name) { return canonical_name == "preprocessing_duration"; }

}  // namespace tv
