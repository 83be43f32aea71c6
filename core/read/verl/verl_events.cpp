#include "core/read/verl/verl_events.h"

#include <algorithm>
#include <array>

namespace tv {
namespace {

struct Known {
  std::string_view written;
  VerlEvent event;
};

constexpr VerlPlace kWorker = VerlPlace::Worker, kRequest = VerlPlace::Request;

// Sorted by `written`.
constexpr std::array kKnown = {
    Known{"async_generate", {"async_generate_duration", "phase", kWorker}},
    Known{"async_generate_duration", {"async_generate_duration", "phase", kWorker}},
    Known{"async_rollout_request_complete", {"async_rollout_request_complete", "request", kRequest}},
    Known{"barrier", {"barrier_wait_duration", "wait", kWorker}},
    Known{"barrier_wait_duration", {"barrier_wait_duration", "wait", kWorker}},
    Known{"batch_construction", {"batch_construction_duration", "phase", kWorker}},
    Known{"batch_construction_duration", {"batch_construction_duration", "phase", kWorker}},
    Known{"broadcast", {"broadcast_duration", "phase", kWorker}},
    Known{"broadcast_duration", {"broadcast_duration", "phase", kWorker}},
    Known{"cache_flush", {"cache_flush_duration", "phase", kWorker}},
    Known{"cache_flush_duration", {"cache_flush_duration", "phase", kWorker}},
    Known{"concatenation", {"concatenation_duration", "phase", kWorker}},
    Known{"concatenation_duration", {"concatenation_duration", "phase", kWorker}},
    Known{"data_extraction", {"data_extraction_duration", "phase", kWorker}},
    Known{"data_extraction_duration", {"data_extraction_duration", "phase", kWorker}},
    Known{"engine_async_generate", {"engine_async_generate", "engine", kRequest}},
    Known{"engine_async_generate_actual", {"engine_async_generate_actual", "engine", kRequest}},
    Known{"engine_call", {"engine_call", "engine", kRequest}},
    Known{"engine_generate_setup", {"engine_generate_setup", "engine", kRequest}},
    Known{"final_construction", {"final_construction_duration", "phase", kWorker}},
    Known{"final_construction_duration", {"final_construction_duration", "phase", kWorker}},
    Known{"finalization", {"finalization", "request", kRequest}},
    Known{"interacting_state", {"interacting_state", "tool", kRequest}},
    Known{"interaction_response", {"interaction_response", "tool", kRequest}},
    Known{"interaction_start_pending_state", {"interaction_start_pending_state", "request", kRequest}},
    Known{"main_loop", {"main_loop", "request", kRequest}},
    Known{"padding", {"padding_duration", "phase", kWorker}},
    Known{"padding_duration", {"padding_duration", "phase", kWorker}},
    Known{"pending_state_handling", {"pending_state_handling", "request", kRequest}},
    Known{"preprocessing", {"preprocessing_duration", "phase", kWorker}},
    Known{"preprocessing_duration", {"preprocessing_duration", "phase", kWorker}},
    Known{"request_start", {"request_start", "request", kRequest}},
    Known{"reward_calculation", {"reward_calculation", "reward", kRequest}},
    Known{"reward_duration", {"reward_duration", "reward", kWorker}},
    Known{"running_state", {"running_state", "request", kRequest}},
    Known{"sorting", {"sorting_duration", "phase", kWorker}},
    Known{"sorting_duration", {"sorting_duration", "phase", kWorker}},
    Known{"step_response_length_stats", {"step_response_length_stats", "phase", kWorker}},
    Known{"tool_calling_state", {"tool_calling_state", "tool", kRequest}},
    Known{"tool_creation_pending_state", {"tool_creation_pending_state", "request", kRequest}},
    Known{"tool_execution", {"tool_execution", "tool", kRequest}},
    Known{"tool_parsing", {"tool_parsing", "turn", kRequest}},
    Known{"tool_response_processing", {"tool_response_processing", "tool", kRequest}},
    Known{"total", {"total_step_duration", "step", kWorker}},
    Known{"total_step_duration", {"total_step_duration", "step", kWorker}},
    Known{"turn_end", {"turn_end", "turn", kRequest}},
    Known{"turn_engine_call", {"turn_engine_call", "engine", kRequest}},
    Known{"turn_post_process", {"turn_post_process", "turn", kRequest}},
    Known{"turn_pre_process", {"turn_pre_process", "turn", kRequest}},
    Known{"turn_start", {"turn_start", "turn", kRequest}},
    Known{"turn_tool_parsing", {"turn_tool_parsing", "turn", kRequest}},
};
static_assert(std::is_sorted(kKnown.begin(), kKnown.end(),
                             [](const Known& a, const Known& b) { return a.written < b.written; }));

}  // namespace

VerlEvent verl_event(std::string_view name, bool has_request) {
  const auto known = std::lower_bound(kKnown.begin(), kKnown.end(), name,
                                      [](const Known& a, std::string_view b) { return a.written < b; });
  if (known != kKnown.end() && known->written == name) return known->event;
  return {name, has_request ? "request" : "phase", has_request ? kRequest : kWorker};
}

bool begins_step(std::string_view canonical_name) { return canonical_name == "preprocessing_duration"; }

}  // namespace tv
