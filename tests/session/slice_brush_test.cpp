// Slices brushed in a chart, from the command to the timeline and back.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

std::string kernels(const TempDir& folder) {
  std::string text = "[";
  for (int i = 1; i <= 6; ++i) text += event("gemm", i * 1000, i * 10) + ",";
  return folder.write("kernels.json", text + event("other", 9000, 500) + "]");
}

// Requests the brushed slices, and waits until they are found in the background.
std::shared_ptr<const BrushedSlices> found(TestDesk& desk) {
  desk.frame();
  wait_until([&] {
    desk.frame();
    return !desk.ws.run().pending();
  });
  desk.ws.brushed_slices();
  wait_until([&] { return !desk.ws.run().busy(); });
  return desk.ws.brushed_slices();
}

Ns selected_us(const TestDesk& desk) {
  return desk.ws.trace().duration_of(desk.ws.state().selection.slice) / kMicrosecond;
}

}  // namespace

TEST_CASE("brushed slices: they are found, visited from the slowest on, and cleared by Esc before anything else") {
  const TempDir folder;
  TestDesk desk;
  desk.open({kernels(folder)});
  const LabelId gemm = desk.ws.trace().slices.label[idx(slice_named(desk.ws.trace(), "gemm"))];
  desk.select("other");
  desk.apply(BrushSlices{{gemm, 20 * kMicrosecond, 50 * kMicrosecond}, "durations"});
  const auto brushed = found(desk);
  REQUIRE(brushed);
  CHECK(brushed->slices.size() == 4);
  CHECK(brushed->name_count == 6);
  CHECK(words_of(*brushed) == "4 of 6 slices (66.7 %), 66.7 % of their time, last 20 µs to 50 µs");
  CHECK(desk.ws.run().label() == gemm);  // although the other is selected

  for (const Ns us : {50, 40, 30, 20}) {
    desk.apply(NextSlowest{true});
    CHECK(selected_us(desk) == us);
  }
  desk.apply(NextSlowest{true});
  CHECK(selected_us(desk) == 20);  // it was the last one
  desk.apply(NextSlowest{false});
  CHECK(selected_us(desk) == 30);

  desk.apply(ClearSelection{});
  CHECK(!desk.ws.run().brushed());
  CHECK(!desk.ws.brushed_slices());
  CHECK(desk.ws.state().selection.has_slice());
  desk.apply(NextSlowest{true});  // now of all slices of the name
  CHECK(selected_us(desk) == 20);
  desk.apply(NextSlowest{false});
  desk.apply(NextSlowest{false});
  desk.apply(NextSlowest{false});
  CHECK(selected_us(desk) == 50);
}

TEST_CASE("brushed slices: they are limited to the area, and found again after a reload") {
  const TempDir folder;
  TestDesk desk;
  desk.open({kernels(folder)});
  const LabelId gemm = desk.ws.trace().slices.label[idx(slice_named(desk.ws.trace(), "gemm"))];
  desk.apply(BrushSlices{{gemm, 0, kMillisecond}, "durations"});
  const auto all = found(desk);
  REQUIRE(all);
  CHECK(all->slices.size() == 6);
  desk.apply(SelectRange{{0, 2500 * kMicrosecond}, {}});
  const auto of_area = found(desk);
  REQUIRE(of_area);
  CHECK(of_area->slices.size() == 3);  // times count from the first of them
  desk.apply(ClearSelection{});
  desk.apply(ClearSelection{});
  desk.apply(BrushSlices{{gemm, 0, kMillisecond}, "durations"});
  desk.apply(Reload{});
  desk.wait();
  const auto again = found(desk);
  REQUIRE(again);
  CHECK(again->slices.size() == 6);
  // A brush of requests replaces it.
  desk.apply(BrushRequests{"dur>=1", "cdf"});
  CHECK(!desk.ws.run().slice_brush());
}

TEST_CASE("a name can be selected without a slice of it, and charts are then about that name") {
  const TempDir folder;
  TestDesk desk;
  desk.open({kernels(folder)});
  const LabelId gemm = desk.ws.trace().slices.label[idx(slice_named(desk.ws.trace(), "gemm"))];
  desk.select("other");
  CHECK(desk.ws.run().label() == desk.ws.trace().label_of(desk.ws.state().selection.slice));
  desk.apply(SelectName{gemm});
  CHECK(desk.ws.run().label() == gemm);
  desk.wait_for_all();
  CHECK(desk.ws.same_name().starts_with("6 of this name"));
  desk.apply(ClearSelection{});
  CHECK(desk.ws.run().label() != gemm);
}
