// Types for the places where clocks meet: a time names its clock, and times of two clocks do not mix. Inside one trace, file or log
// all times are on one clock. There they are plain Ns, which is also the type of lengths and of corrections that users give.
//
//   FileTime       as the reader hands it in: whatever the file counts from
//   BuiltTime      absolute, as the file's segment was built: FileTime + SourceView::clock_base + SourceInfo::clock_offset
//   SegmentTime    the same, since the segment's origin: what a Trace that is a segment holds
//   RecordedTime   absolute, by the clock of the host that recorded it, as the user corrected it. This is BuiltTime, except in
//                  segments that were fitted and aligned before they were packed, or by measuring a window
//   CommonTime     absolute, after clocks were fitted to each other (view_clock.h)
//   AlignedTime    absolute, after runs were aligned as well (align_runs.h): the absolute time in a view
//   ViewTime       the same, since the view's origin: what a Trace that is a view holds
//
// Unit: nanoseconds. Cost: none, each is the number itself.
#pragma once

#include <algorithm>
#include <compare>

#include "core/base/time.h"

namespace tv {

/// A point in time on one clock.
template <class Clock>
struct TimeOf {
  Ns ns = 0;

  auto operator<=>(const TimeOf&) const = default;
  constexpr TimeOf& operator+=(Ns length) {
    ns += length;
    return *this;
  }
  constexpr TimeOf& operator-=(Ns length) { return *this += -length; }
  friend constexpr TimeOf operator+(TimeOf t, Ns length) { return {t.ns + length}; }
  friend constexpr TimeOf operator-(TimeOf t, Ns length) { return {t.ns - length}; }
  friend constexpr Ns operator-(TimeOf a, TimeOf b) { return a.ns - b.ns; }
};

using FileTime = TimeOf<struct FileClockTag>;
using BuiltTime = TimeOf<struct BuiltClockTag>;
using SegmentTime = TimeOf<struct SegmentClockTag>;
using RecordedTime = TimeOf<struct RecordedClockTag>;
using CommonTime = TimeOf<struct CommonClockTag>;
using AlignedTime = TimeOf<struct AlignedClockTag>;
using ViewTime = TimeOf<struct ViewClockTag>;

/// A TimeRange on one clock: half-open.
template <class Time>
struct RangeOf {
  Time begin = {}, end = {};

  static constexpr RangeOf of(TimeRange plain) { return {{plain.begin}, {plain.end}}; }
  constexpr TimeRange plain() const { return {begin.ns, end.ns}; }
  constexpr Ns length() const { return end - begin; }
  constexpr bool empty() const { return end <= begin; }
  bool operator==(const RangeOf&) const = default;
  /// As TimeRange::include().
  constexpr void include(RangeOf other) {
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
  friend constexpr RangeOf operator+(RangeOf range, Ns length) { return {range.begin + length, range.end + length}; }
};

using FileRange = RangeOf<FileTime>;
using BuiltRange = RangeOf<BuiltTime>;
using SegmentRange = RangeOf<SegmentTime>;
using RecordedRange = RangeOf<RecordedTime>;
using CommonRange = RangeOf<CommonTime>;
using AlignedRange = RangeOf<AlignedTime>;
using ViewRange = RangeOf<ViewTime>;

/// Takes times of one clock to another: time of To = time of From + by.
template <class From, class To>
struct ClockShift {
  Ns by = 0;

  bool operator==(const ClockShift&) const = default;
  constexpr To operator()(From t) const { return {t.ns + by}; }
  constexpr RangeOf<To> operator()(RangeOf<From> range) const { return {(*this)(range.begin), (*this)(range.end)}; }
  constexpr ClockShift<To, From> inverse() const { return {-by}; }
  /// Corrects a clock: `length` is added to all its times.
  constexpr ClockShift& operator+=(Ns length) {
    by += length;
    return *this;
  }
  friend constexpr ClockShift operator+(ClockShift shift, Ns length) { return {shift.by + length}; }
  friend constexpr ClockShift operator-(ClockShift shift, Ns length) { return {shift.by - length}; }
};

/// One shift after the other.
template <class A, class B, class C>
constexpr ClockShift<A, C> operator+(ClockShift<A, B> first, ClockShift<B, C> then) {
  return {first.by + then.by};
}

}  // namespace tv
