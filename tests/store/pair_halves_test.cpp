#include "core/store/clock/pair_halves.h"

#include <doctest/doctest.h>

#include <set>

#include "core/store/draft/item_ref.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// Collects halves and pairs them.
class Pairing {
 public:
  using Kind = HalfEvent::Kind;

  Pairing& add(Kind kind, Ns time, const char* name, std::uint32_t key = 0, const char* category = "c") {
    halves_.push_back(
        {kind, *name != 0, *category != 0, track_, key, labels_.intern(category, name), time, ++offset_, id_});
    return *this;
  }
  Pairing& on_track(std::uint32_t track) {
    track_ = track;
    return *this;
  }
  Pairing& with_id(std::uint64_t id) {
    id_ = id;
    return *this;
  }
  void run() { groups = pair_halves(halves_, labels_, 100, slices, problems); }

  std::string text() const {  // "name begin+duration", in the order of the result
    std::string out;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      out += std::string(out.empty() ? "" : ", ") + std::string(labels_.name(slices.label[i])) + " " +
             std::to_string(slices.begin[i]) +
             (slices.duration[i] == kOpenEnd ? " open" : "+" + std::to_string(slices.duration[i]));
    }
    return out;
  }

  SliceColumns slices;
  ProblemLog problems;
  std::uint32_t groups = 0;

 private:
  LabelTable labels_;
  std::vector<HalfEvent> halves_;
  std::uint32_t track_ = 0;
  std::uint64_t offset_ = 0, id_ = 0;
};

constexpr auto B = HalfEvent::Kind::Begin, E = HalfEvent::Kind::End;
constexpr auto b = HalfEvent::Kind::AsyncBegin, e = HalfEvent::Kind::AsyncEnd;

}  // namespace

TEST_CASE("pair_halves: ends close the innermost begin of their name") {
  Pairing p;
  p.add(B, 0, "outer").add(B, 10, "inner").add(E, 20, "inner").add(E, 30, "outer");
  p.run();
  CHECK(p.text() == "inner 10+10, outer 0+30");
  CHECK(p.problems.empty());
}

TEST_CASE("pair_halves: an end without a name closes the innermost begin") {
  Pairing p;
  p.add(B, 0, "outer").add(B, 10, "inner").add(E, 20, "", 0, "").add(E, 30, "", 0, "");
  p.run();
  CHECK(p.text() == "inner 10+10, outer 0+30");
}

TEST_CASE("pair_halves: crossing ends find their own begin") {
  Pairing p;
  p.add(B, 0, "x").add(B, 10, "y").add(E, 20, "x").add(E, 30, "y");
  p.run();
  CHECK(p.text() == "x 0+20, y 10+20");
}

TEST_CASE("pair_halves: an end that matches nothing is counted and closes nothing") {
  Pairing p;
  p.add(E, 0, "x").add(B, 10, "y").add(E, 20, "z").add(E, 30, "y");
  p.run();
  CHECK(p.text() == "y 10+20");
  CHECK(p.problems.count(ProblemKind::unmatched_end) == 2);
}

TEST_CASE("pair_halves: the category must match where the end has one") {
  Pairing p;
  p.add(B, 0, "x", 0, "one").add(E, 5, "x", 0, "two").add(E, 9, "x", 0, "");
  p.run();
  CHECK(p.text() == "x 0+9");
  CHECK(p.problems.count(ProblemKind::unmatched_end) == 1);
}

TEST_CASE("pair_halves: slices that stay open are unfinished, in file order") {
  Pairing p;
  p.add(B, 0, "x").on_track(1).add(B, 5, "y");
  p.run();
  CHECK(p.text() == "x 0 open, y 5 open");
  CHECK(p.slices.flags[0] == kUnfinished);
  CHECK(p.problems.count(ProblemKind::unclosed_slice) == 2);
}

TEST_CASE("pair_halves: slices that stay open on one track are also in file order, the outer one first") {
  Pairing p;
  p.add(B, 0, "outer").add(B, 1, "inner").on_track(1).add(B, 2, "other").on_track(0).add(B, 3, "innermost");
  p.run();
  CHECK(p.text() == "outer 0 open, inner 1 open, other 2 open, innermost 3 open");
}

TEST_CASE("pair_halves: halves are paired within a track, async ones by key across tracks") {
  Pairing p;
  p.on_track(0).add(B, 0, "x").on_track(1).add(E, 10, "x");
  p.on_track(0).add(b, 0, "s", 7).on_track(1).add(e, 10, "s", 7);
  p.run();
  CHECK(p.text() == "s 0+10, x 0 open");
  CHECK(p.slices.group[0] == 100);
  CHECK(p.slices.group[1] == kNoGroup);
  CHECK(p.groups == 1);
  CHECK(p.slices.track[0] == 0);
  CHECK(p.problems.count(ProblemKind::unmatched_end) == 1);
}

TEST_CASE("pair_halves: async begins and ends are paired by key and id") {
  Pairing p;
  p.with_id(1ull << 60).add(b, 0, "s", 7).add(b, 1, "s", 8).with_id(3).add(b, 2, "s", 7).add(b, 3, "t", 7);
  p.add(e, 10, "s", 7).with_id(1ull << 60).add(e, 20, "s", 8).add(e, 30, "s", 7).with_id(4).add(e, 40, "s", 7);
  p.run();
  CHECK(p.text() == "s 2+8, s 1+19, s 0+30, t 3 open");
  CHECK(p.groups == 4);
  const std::set<std::uint32_t> groups(p.slices.group.begin(), p.slices.group.end());
  CHECK(groups.size() == 3);
  CHECK(p.slices.group[0] == p.slices.group[3]);
  CHECK(*groups.begin() >= 100);
  CHECK(*groups.rbegin() < 104);
  CHECK(p.problems.count(ProblemKind::unmatched_end) == 1);
}

TEST_CASE("pair_halves: file order need not be time order") {
  Pairing p;
  p.add(E, 20, "x").add(B, 0, "x");
  p.run();
  CHECK(p.text() == "x 0+20");
}

TEST_CASE("pair_halves: begin and end at one time in file order make a zero-length slice") {
  Pairing p;
  p.add(B, 5, "x").add(E, 5, "x").add(B, 5, "x").add(E, 8, "x");
  p.run();
  CHECK(p.text() == "x 5+0, x 5+3");
}

TEST_CASE("pair_halves: an end closes the same begin as a scan from the innermost, however many are open") {
  struct Open {
    Ns time;
    std::string name, category;
  };
  for (const std::uint64_t seed : seeds(30)) {
    CAPTURE(seed);
    Random random(seed);
    Pairing p;
    std::vector<Open> open;
    std::string expected;
    constexpr const char* kNames[] = {"x", "y", "z", "rare"};
    constexpr const char* kCategories[] = {"c", "d"};
    const std::int64_t most_names = random.in(0, 3);
    for (Ns time = 0; time < 400; ++time) {
      const char* name = kNames[random.in(0, most_names)];
      const char* category = random.one_of(kCategories);
      if (random.chance(time < 150 ? 0.9 : 0.4)) {
        p.add(B, time, name, 0, category);
        open.push_back({time, name, category});
        continue;
      }
      if (random.chance(0.3)) category = "";
      if (random.chance(0.3)) name = "";
      if (random.chance(0.1)) name = "nobody's";
      p.add(E, time, name, 0, category);
      for (std::size_t i = open.size(); i-- > 0;) {
        if ((*name != 0 && open[i].name != name) || (*category != 0 && open[i].category != category)) continue;
        expected += (expected.empty() ? "" : ", ") + open[i].name + " " + std::to_string(open[i].time) + "+" +
                    std::to_string(time - open[i].time);
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
    }
    for (const Open& left : open) expected += (expected.empty() ? "" : ", ") + left.name + " " + std::to_string(left.time) + " open";
    p.run();
    CHECK(p.text() == expected);
  }
}
