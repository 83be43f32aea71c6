#include "core/read/verl_events.h"

#include <algorithm>
#include <array>

namespace tv {
namespace {

struct KnownEvent {
  std::string_view written;
  VerlEvent event;
};

constexpr VerlPlace kOfWorker = VerlPlace::Worker, kOfRequest = VerlPlace::Request;

// Sorted by `written`.
constexpr std::array kKnownEvents = {
    KnownEvent{"async_generate", {"async_generate_duration", "phase", kOfWorker}},
    KnownEvent{"async_generate_duration", {"async_generate_duration", "phase", kOfWorker}},
    KnownEvent{"async_rollout_request_complete", {"async_rollout_request_complete", "request", kOfRequest}},
    KnownEvent{"barrier", {"barrier_wait_duration", "wait", kOfWorker}},
    KnownEvent{"barrier_wait_duration", {"barrier_wait_duration", "wait", kOfWorker}},
    KnownEvent{"batch_construction", {"batch_construction_duration", "phase", kOfWorker}},
    KnownEvent{"batch_construction_duration", {"batch_construction_duration", "phase", kOfWorker}},
    KnownEvent{"broadcast", {"broadcast_duration", "phase", kOfWorker}},
    KnownEvent{"broadcast_duration", {"broadcast_duration", "phase", kOfWorker}},
    KnownEvent{"cache_flush", {"cache_flush_duration", "phase", kOfWorker}},
    KnownEvent{"cache_flush_duration", {"cache_flush_duration", "phase", kOfWorker}},
    KnownEvent{"concatenation", {"concatenation_duration", "phase", kOfWorker}},
    KnownEvent{"concatenation_duration", {"concatenation_duration", "phase", kOfWorker}},
    KnownEvent{"data_extraction", {"data_extraction_duration", "phase", kOfWorker}},
    KnownEvent{"data_extraction_duration", {"data_extraction_duration", "phase", kOfWorker}},
    KnownEvent{"engine_async_generate", {"engine_async_generate", "engine", kOfRequest}},
    KnownEvent{"engine_async_generate_actual", {"engine_async_generate_actual", "engine", kOfRequest}},
    KnownEvent{"engine_call", {"engine_call", "engine", kOfRequest}},
    KnownEvent{"engine_generate_setup", {"engine_generate_setup", "engine", kOfRequest}},
    KnownEvent{"final_construction", {"final_construction_duration", "phase", kOfWorker}},
    KnownEvent{"final_construction_duration", {"final_construction_duration", "phase", kOfWorker}},
    KnownEvent{"finalization", {"finalization", "request", kOfRequest}},
    KnownEvent{"interacting_state", {"interacting_state", "tool", kOfRequest}},
    KnownEvent{"interaction_response", {"interaction_response", "tool", kOfRequest}},
    KnownEvent{"interaction_start_pending_state", {"interaction_start_pending_state", "request", kOfRequest}},
    KnownEvent{"main_loop", {"main_loop", "request", kOfRequest}},
    KnownEvent{"padding", {"padding_duration", "phase", kOfWorker}},
    KnownEvent{"padding_duration", {"padding_duration", "phase", kOfWorker}},
    KnownEvent{"pending_state_handling", {"pending_state_handling", "request", kOfRequest}},
    KnownEvent{"preprocessing", {"preprocessing_duration", "phase", kOfWorker}},
    KnownEvent{"preprocessing_duration", {"preprocessing_duration", "phase", kOfWorker}},
    KnownEvent{"request_start", {"request_start", "request", kOfRequest}},
    KnownEvent{"reward_calculation", {"reward_calculation", "reward", kOfRequest}},
    KnownEvent{"reward_duration", {"reward_duration", "reward", kOfWorker}},
    KnownEvent{"running_state", {"running_state", "request", kOfRequest}},
    KnownEvent{"sorting", {"sorting_duration", "phase", kOfWorker}},
    KnownEvent{"sorting_duration", {"sorting_duration", "phase", kOfWorker}},
    KnownEvent{"step_response_length_stats", {"step_response_length_stats", "phase", kOfWorker}},
    KnownEvent{"tool_calling_state", {"tool_calling_state", "tool", kOfRequest}},
    KnownEvent{"tool_creation_pending_state", {"tool_creation_pending_state", "request", kOfRequest}},
    KnownEvent{"tool_execution", {"tool_execution", "tool", kOfRequest}},
    KnownEvent{"tool_parsing", {"tool_parsing", "turn", kOfRequest}},
    KnownEvent{"tool_response_processing", {"tool_response_processing", "tool", kOfRequest}},
    KnownEvent{"total", {"total_step_duration", "step", kOfWorker}},
    KnownEvent{"total_step_duration", {"total_step_duration", "step", kOfWorker}},
    KnownEvent{"turn_end", {"turn_end", "turn", kOfRequest}},
    KnownEvent{"turn_engine_call", {"turn_engine_call", "engine", kOfRequest}},
    KnownEvent{"turn_post_process", {"turn_post_process", "turn", kOfRequest}},
    KnownEvent{"turn_pre_process", {"turn_pre_process", "turn", kOfRequest}},
    KnownEvent{"turn_start", {"turn_start", "turn", kOfRequest}},
    KnownEvent{"turn_tool_parsing", {"turn_tool_parsing", "turn", kOfRequest}},
};
static_assert(std::is_sorted(kKnownEvents.begin(), kKnownEvents.end(),
                             [](const KnownEvent& a, const KnownEvent& b) { return a.written < b.written; }));

}  // namespace

VerlEvent verl_event(std::string_view name, bool has_request) {
  const auto known = std::lower_bound(kKnownEvents.begin(), kKnownEvents.end(), name,
                                      [](const KnownEvent& a, std::string_view b) { return a.written < b; });
  if (known != kKnownEvents.end() && known->written == name) return known->event;
  return {name, has_request ? "request" : "phase", has_request ? kOfRequest : kOfWorker};
}

bool begins_step(std::string_view canonical_name) { return canonical_name == "preprocessing_duration"; }

}  // namespace tv
