// The window's search: the number of the hit and of all hits, the kinds of search, and where Enter goes.
#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

// Ten calls of 1 µs, 100 µs apart, below a step; every second one is named CALL.
std::string calls(const TempDir& folder) {
  std::string text = "[" + event("step", 0, 1000);
  for (int i = 0; i < 10; ++i) text += "," + event(i % 2 ? "CALL" : "call", 50 + 100 * i, 1, 2);
  return folder.write("calls.json", text + "," + event("other", 0, 1000, 3) + "]");
}

}  // namespace

TEST_CASE("search: says which of how many hits is selected") {
  const TempDir folder;
  TestDesk desk;
  desk.open({calls(folder)});
  CHECK(desk.ws.search().said().empty());
  desk.apply(OpenSearch{});
  desk.apply(Search{"call"});
  CHECK(desk.ws.search().said() == "10 hits");
  CHECK(!desk.ws.search().place());
  desk.apply(NextHit{true});
  CHECK(desk.ws.search().said() == "1 of 10");
  desk.apply(NextHit{true});
  desk.apply(NextHit{true});
  CHECK(desk.ws.search().said() == "3 of 10");
  desk.apply(NextHit{false});
  CHECK(desk.ws.search().place() == 2);
  desk.select("other");
  CHECK(desk.ws.search().said() == "10 hits");
  desk.apply(Search{"nothing like it"});
  CHECK(desk.ws.search().said() == "no hits");
  desk.apply(ClearSelection{});
  CHECK(desk.ws.search().said().empty());
}

TEST_CASE("search: matches case and regular expressions on request, and reports an invalid expression") {
  const TempDir folder;
  TestDesk desk;
  desk.open({calls(folder)});
  desk.apply(Search{"CALL"});
  desk.apply(ToggleSearch{ToggleSearch::What::MatchCase});
  CHECK(desk.ws.state().boxes.search);
  CHECK(desk.ws.search().hits().spread().hits == 5);
  desk.apply(ToggleSearch{ToggleSearch::What::Regex});
  desk.apply(Search{"^(CALL|step)$"});
  CHECK(desk.ws.search().hits().spread().hits == 6);
  desk.apply(ToggleSearch{ToggleSearch::What::MatchCase});
  CHECK(desk.ws.search().hits().spread().hits == 11);
  desk.apply(Search{"ca(ll"});
  CHECK(desk.ws.search().hits().spread().hits == 0);
  CHECK(desk.ws.search().complaint() == "( is never closed, at character 3");
  CHECK(desk.ws.search().said() == "not understood");
  desk.apply(NextHit{true});
  CHECK(desk.selected() == "none");
  desk.apply(Search{"ca(ll", false, true});  // a name from the timeline's menu
  CHECK(!desk.ws.search().asked().regex);
  CHECK(desk.ws.search().complaint().empty());
  CHECK(desk.ws.search().said() == "no hits");
}

TEST_CASE("search: can be limited to the selected area while there is one") {
  const TempDir folder;
  TestDesk desk;
  desk.open({calls(folder)});
  desk.apply(Search{"call"});
  desk.apply(ToggleSearch{ToggleSearch::What::InArea});
  CHECK(!desk.ws.search().asked().in_area);
  CHECK(desk.ws.take_notice() == "drag over the lanes for an area to search in");
  desk.apply(SelectRange{{100'000, 400'000}, {}});
  CHECK(desk.ws.search().hits().spread().hits == 10);
  desk.apply(ToggleSearch{ToggleSearch::What::InArea});
  CHECK(desk.ws.search().said() == "3 hits in the area");
  desk.apply(NextHit{true});
  CHECK(desk.ws.search().said() == "1 of 3 in the area");
  CHECK(desk.ws.state().selected.details->begin == 150'000);
  desk.apply(NextHit{false});  // wraps around
  CHECK(desk.ws.state().selected.details->begin == 350'000);
  desk.apply(SelectRange{{0, 400'000}, {desk.ws.trace().row(desk.ws.trace().row_of(slice_named(desk.ws.trace(), "other"))).lane}});
  CHECK(desk.ws.search().said() == "no hits in the area");
  desk.apply(SelectRange{{0, 400'000}, {}});
  CHECK(desk.ws.search().said() == "4 of 4 in the area");
  // Only the search ends; the area is another layer. The next search covers everything again.
  desk.apply(ClearSelection{});
  CHECK(desk.ws.state().selection.range);
  desk.apply(Search{"call"});
  CHECK(desk.ws.search().said() == "4 of 10");
}

TEST_CASE("search: Enter goes to the first hit in the view or after it, and zooms in until it can be read") {
  const TempDir folder;
  TestDesk desk;
  desk.open({calls(folder)});
  desk.apply(ZoomTo{{320'000, 720'000}});
  desk.apply(Search{"call"});
  desk.apply(NextHit{true});
  CHECK(desk.ws.state().selected.details->begin == 350'000);
  const double span = desk.ws.state().view().span;
  CHECK(span == doctest::Approx(1'200));  // 1 µs with a tenth of it on both sides
  // The next hit has the same length, so the zoom stays.
  desk.apply(NextHit{true});
  CHECK(desk.ws.state().selected.details->begin == 450'000);
  CHECK(desk.ws.state().view().span == doctest::Approx(span));
  // After the view has moved elsewhere, it continues from the hit.
  desk.apply(ZoomTo{{0, 40'000}});
  desk.apply(NextHit{true});
  CHECK(desk.ws.state().selected.details->begin == 550'000);
  // Another search begins at the view, unless the selection is one of its hits and visible.
  desk.apply(ZoomTo{{140'000, 260'000}});
  desk.apply(Search{"cal"});
  desk.apply(NextHit{true});
  CHECK(desk.ws.state().selected.details->begin == 150'000);
  // A hit that begins before the view and reaches into it is the first; the view does not zoom out for it.
  desk.apply(ClearSelection{});
  desk.apply(ZoomTo{{140'000, 160'000}});
  desk.apply(Search{"step"});
  desk.apply(NextHit{true});
  CHECK(desk.selected() == "step");
  CHECK(desk.ws.state().view().span == doctest::Approx(20'000));
}

TEST_CASE("search: record hits are sorted in the background, and the previous hits stay meanwhile") {
  const TempDir folder;
  std::string text = "[" + event("step", 0, 1000);
  for (std::uint64_t i = 0; i <= SliceSearch::kAtOnce; ++i) text += "," + event("call", static_cast<int>(i), 1, 2);
  const auto snapshot = load_snapshot({folder.write("many.json", text + "]")}, test_pool());
  REQUIRE(snapshot->trace->items() > SliceSearch::kAtOnce);
  SliceSearch search(test_pool(), [] {});
  const auto hits = [](std::size_t n) {
    auto made = std::make_shared<RecordHits>();
    for (std::size_t i = 0; i < n; ++i) made->slices.push_back(id_at<SliceId>(7 * i));
    return std::shared_ptr<const RecordHits>(std::move(made));
  };
  const auto follow = [&](const std::shared_ptr<const RecordHits>& records) { search.follow(snapshot, {}, records, kNone<SliceId>); };
  const auto settle = [&](const std::shared_ptr<const RecordHits>& records) {
    for (follow(records); search.busy(); follow(records)) std::this_thread::yield();
  };
  const auto three = hits(3), eight = hits(8), ninety = hits(90);
  search.ask({.text = "needle", .in_records = true});
  follow(hits(0));
  CHECK_FALSE(search.busy());
  CHECK(search.hits().empty());
  follow(three);
  CHECK(search.busy());
  settle(three);
  CHECK(search.hits().count() == 3);
  follow(eight);
  CHECK(search.busy());
  CHECK_FALSE(search.pending());
  CHECK(search.hits().count() == 3);
  follow(ninety);  // waits for the eight
  settle(ninety);
  CHECK(search.hits().count() == 90);
  CHECK(search.said() == "90 hits, 0 MB");
  // Hits of one search are never shown as those of another.
  search.ask({.text = "pin", .in_records = true});
  follow(eight);
  CHECK(search.pending());
  CHECK(search.said() == "searching ...");
  settle(eight);
  CHECK(search.hits().count() == 8);
}
