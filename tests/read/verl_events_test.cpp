#include "core/read/verl/verl_events.h"

#include <doctest/doctest.h>

#include <string>

using namespace tv;

TEST_CASE("verl_event: names of earlier versions become the current ones") {
  // Names with a meaning of their own stay.
  const std::pair<const char*, const char*> cases[] = {
      {"total", "total_step_duration"},
      {"preprocessing", "preprocessing_duration"},
      {"async_generate", "async_generate_duration"},
      {"sorting", "sorting_duration"},
      {"barrier", "barrier_wait_duration"},
      {"broadcast", "broadcast_duration"},
      {"data_extraction", "data_extraction_duration"},
      {"padding", "padding_duration"},
      {"concatenation", "concatenation_duration"},
      {"batch_construction", "batch_construction_duration"},
      {"cache_flush", "cache_flush_duration"},
      {"final_construction", "final_construction_duration"},
      {"engine_call", "engine_call"},
      {"turn_engine_call", "turn_engine_call"},
  };
  for (const auto& [written, shown] : cases) {
    const auto& shown_written = written;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(shown_written);
    const VerlEvent event = verl_event(written, false);
    CHECK(event.name == shown);
    CHECK(verl_event(shown, true).name == shown);
    CHECK(verl_event(shown, false).category == event.category);
  }
}

TEST_CASE("verl_event: phases belong to the worker, other events to requests, with or without a request id") {
  for (const bool has_request : {false, true}) {
    for (const char* name : {"total_step_duration", "barrier", "reward_duration", "step_response_length_stats"}) {
      CHECK(verl_event(name, has_request).place == VerlPlace::Worker);
    }
    for (const char* name : {"engine_async_generate", "turn_start", "tool_execution", "engine_generate_setup"}) {
      CHECK(verl_event(name, has_request).place == VerlPlace::Request);
    }
  }
  CHECK(verl_event("barrier_wait_duration", false).category == "wait");
  CHECK(verl_event("turn_engine_call", true).category == "engine");
  CHECK(verl_event("tool_execution", true).category == "tool");
  CHECK(verl_event("reward_calculation", true).category == "reward");
}

TEST_CASE("verl_event: an unknown event keeps its name, and belongs to a request if its line has an id") {
  CHECK(verl_event("weight_sync", false).name == "weight_sync");
  CHECK(verl_event("weight_sync", false).place == VerlPlace::Worker);
  CHECK(verl_event("weight_sync", true).place == VerlPlace::Request);
  CHECK(verl_event("", false).name == "");
}

TEST_CASE("begins_step: is true for the first phase of a step, by its current name") {
  CHECK(begins_step(verl_event("preprocessing", false).name));
  CHECK(!begins_step("total_step_duration"));
}
