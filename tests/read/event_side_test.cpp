#include "core/read/chrome/event_side.h"

#include <doctest/doctest.h>

#include <string>

using namespace tv;

TEST_CASE("event_side: categories of all vendors tell host calls from device work") {
  for (const char* call : {"cuda_runtime", "cuda_driver", "hip_runtime", "xpu_runtime", "mtia_runtime", "privateuse1_driver", "Runtime"}) {
    CHECK(side_of(call) == EventSide::Host);
    CHECK(launch_end(call) == LaunchEnd::Call);
  }
  for (const char* work : {"kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", "Memset"}) {
    CHECK(side_of(work) == EventSide::Device);
    CHECK(launch_end(work) == LaunchEnd::Work);
  }
  for (const char* host : {"cpu_op", "python_function", "user_annotation", "Operator"}) {
    CHECK(side_of(host) == EventSide::Host);
    CHECK(launch_end(host) == LaunchEnd::None);
  }
  CHECK(launch_end("cuda_sync") == LaunchEnd::Work);
  for (const char* other : {"", "ac2g", "gpu_user_annotation", "Trace", "toplevel"}) {
    CHECK(side_of(other) == EventSide::Unknown);
    CHECK(launch_end(other) == LaunchEnd::None);
  }
}

TEST_CASE("event_side: a correlation id is a positive whole number in the record's own args") {
  CHECK(correlation_id(R"({"cbid": 211, "correlation": 1})", true) == 1);
  CHECK(correlation_id("{ \"correlation\"\n :\t\"4711\" }", true) == 4711);
  CHECK(correlation_id(R"({"text": "correlation", "correlation":7})", true) == 7);
  CHECK(correlation_id(R"({"text": "\"correlation\": 9", "x correlation": 3, "correlation": 7})", true) == 7);
  CHECK(correlation_id(R"({"cbid": 211})", true) == 0);
  for (const bool exact : {false, true}) {
    CHECK(correlation_id(R"({"outer":{"correlation":9},"correlation":5})", exact) == 5);
    CHECK(correlation_id(R"({"list":[{"correlation":9}], "text": "}{", "correlation" : 5})", exact) == 5);
    CHECK(correlation_id(R"({"outer":{"correlation":9}})", exact) == 0);
    CHECK(correlation_id(R"({"kernel":"f{[\"","correlation":5})", exact) == 5);
  }
  // Args that are no object have no id: the text after them may belong to the next record.
  for (const char* args : {"+1", "\"text\"", "null", "[1]", "12", "-", ""}) {
    const std::string text = std::string(args) + R"(}, {"args": {"correlation": 12}})";
    CHECK(correlation_id(text, false) == 0);
    CHECK(correlation_id(text, true) == 0);
  }
  CHECK(correlation_id(R"({"correlation": 0})", true) == 0);
  CHECK(correlation_id(R"({"correlation": -1})", true) == 0);
  CHECK(correlation_id(R"({"correlation": 4294967295})", true) == 0);
  CHECK(correlation_id(R"({"correlation": null})", true) == 0);
  CHECK(correlation_id(R"({"correlation")", true) == 0);
  CHECK(correlation_id("", true) == 0);
  constexpr const char* kTwo = R"({"cbid": 211}},{"ph":"X","args":{"correlation": 8}})";
  CHECK(correlation_id(kTwo, false) == 0);
  CHECK(correlation_id(R"({"a":1,"correlation": 8}},{"ph":"X"})", false) == 8);
}
