#include "core/base/clock_time.h"

#include <doctest/doctest.h>

#include <type_traits>

using namespace tv;

namespace {

template <class A, class B>
concept Subtracts = requires(A a, B b) { a - b; };
template <class A, class B>
concept Adds = requires(A a, B b) { a + b; };
template <class A, class B>
concept Compares = requires(A a, B b) { a < b; };
template <class A, class B>
concept Equals = requires(A a, B b) { a == b; };
template <class To, class From>
concept Takes = requires(To to, From from) { to = from; };
template <class Shift, class Time>
concept Moves = requires(Shift shift, Time time) { shift(time); };

using ToBuilt = ClockShift<FileTime, BuiltTime>;
using ToRecorded = ClockShift<BuiltTime, RecordedTime>;

// One clock.
static_assert(Subtracts<FileTime, FileTime> && Compares<FileTime, FileTime> && Equals<FileTime, FileTime>);
static_assert(Adds<FileTime, Ns> && Subtracts<FileTime, Ns>);
static_assert(Moves<ToBuilt, FileTime> && Moves<ToBuilt, FileRange> && Adds<ToBuilt, ToRecorded> && Adds<ToBuilt, Ns>);
static_assert(std::is_same_v<decltype(FileTime{} - FileTime{}), Ns>);
static_assert(std::is_same_v<decltype(ToBuilt{} + ToRecorded{}), ClockShift<FileTime, RecordedTime>>);
static_assert(std::is_same_v<decltype(ToBuilt{}.inverse()), ClockShift<BuiltTime, FileTime>>);

// Two clocks.
static_assert(!Subtracts<FileTime, ViewTime> && !Compares<FileTime, ViewTime> && !Equals<FileTime, ViewTime>);
static_assert(!Takes<FileTime, ViewTime> && !Takes<FileRange, ViewRange> && !Equals<FileRange, ViewRange>);
static_assert(!Moves<ToBuilt, BuiltTime> && !Moves<ToBuilt, BuiltRange> && !Takes<ToBuilt, ToRecorded>);
static_assert(!Adds<ToBuilt, ToBuilt> && !Adds<ToRecorded, ToBuilt> && !Equals<ToBuilt, ToRecorded>);

// A point in time is not a length, and a plain number is on no clock.
static_assert(!Adds<FileTime, FileTime> && !Subtracts<Ns, FileTime>);
static_assert(!Takes<FileTime, Ns> && !Takes<Ns, FileTime> && !Compares<FileTime, Ns> && !Equals<FileTime, Ns>);
static_assert(!Takes<FileRange, TimeRange> && !Takes<TimeRange, FileRange> && !Takes<ToBuilt, Ns> && !Takes<Ns, ToBuilt>);
static_assert(!Adds<FileTime, ToBuilt> && !Moves<ToBuilt, Ns> && !Moves<ToBuilt, TimeRange>);

// As cheap as a number.
static_assert(std::is_trivially_copyable_v<FileTime> && sizeof(FileTime) == sizeof(Ns));
static_assert(std::is_trivially_copyable_v<FileRange> && sizeof(FileRange) == sizeof(TimeRange));
static_assert(std::is_trivially_copyable_v<ToBuilt> && sizeof(ToBuilt) == sizeof(Ns));

}  // namespace

TEST_CASE("clock_time: a shift takes times from one clock to the other, and back") {
  const ToBuilt to_built{1'000};
  CHECK(to_built(FileTime{5}) == BuiltTime{1'005});
  CHECK(to_built(FileRange{{5}, {9}}) == BuiltRange{{1'005}, {1'009}});
  CHECK(to_built.inverse()(BuiltTime{1'005}) == FileTime{5});
  CHECK((to_built + 20)(FileTime{5}) == BuiltTime{1'025});
  CHECK((to_built - 20)(FileTime{5}) == BuiltTime{985});
}

TEST_CASE("clock_time: shifts follow each other") {
  const ToBuilt to_built{1'000};
  const ToRecorded to_recorded{-300};
  const FileTime t{5};
  CHECK((to_built + to_recorded)(t) == to_recorded(to_built(t)));
  CHECK((to_built + to_built.inverse())(t) == t);
  CHECK((to_recorded + to_recorded.inverse()) == ClockShift<BuiltTime, BuiltTime>{});
}

TEST_CASE("clock_time: ranges are those of TimeRange, on a clock") {
  FileRange range = FileRange::of({10, 30});
  CHECK(range.begin == FileTime{10});
  CHECK(range.length() == 20);
  CHECK(!range.empty());
  CHECK(FileRange{{30}, {30}}.empty());
  CHECK(range.plain() == TimeRange{10, 30});
  range.include({{5}, {12}});
  CHECK(range == FileRange{{5}, {30}});
  CHECK(range + 100 == FileRange{{105}, {130}});
}
