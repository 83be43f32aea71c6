#include "core/store/clock/work_extent.h"

#include <doctest/doctest.h>

#include "core/store/clock/time_window.h"
#include "core/store/trace/trace_builder.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("work_extent: a mark after the last slice or before the first does not extend the work") {
  TraceSketch sketch;
  for (Ns t = 1'000; t < 1'500; t += 100) sketch.slice("t", t, 60);
  sketch.instant("t", 500, "Iteration Start").instant("t", 1'250, "m").instant("t", 2'900, "Record Window End");
  const auto trace = sketch.build();
  CHECK(trace->origin_ns == 500);
  CHECK(trace->extent == TimeRange{0, 2'400});
  CHECK(trace->work == TimeRange{500, 960});
  CHECK(trace->sources[0].work == TimeRange{500, 960});
  CHECK(trace->instant_count == 3);
}

TEST_CASE("work_extent: a zero-length slice counts as a mark, a counter sample as work") {
  TraceSketch sketch;
  sketch.slice("t", 100, 50).slice("t", 160, 50).slice("t", 900, 0);
  CHECK(sketch.build()->work == TimeRange{0, 110});
  sketch.sample("c", 700, 1);
  CHECK(sketch.build()->work == TimeRange{0, 600});
}

TEST_CASE("work_extent: without slices, all marks or samples count as work") {
  TraceSketch marks, samples, one;
  marks.instant("t", 100).instant("t", 400);
  CHECK(marks.build()->work == TimeRange{0, 300});
  samples.sample("c", 100, 1).sample("c", 500, 2);
  CHECK(samples.build()->work == TimeRange{0, 400});
  one.instant("t", 7);
  CHECK(one.build()->work == TimeRange{0, 0});
  CHECK(one.build()->shown() == TimeRange{0, 0});
}

TEST_CASE("work_extent: many marks beyond the slices count as work, on their side only") {
  TraceSketch few, many;
  for (TraceSketch* sketch : {&few, &many}) {
    for (Ns t = 0; t < 200; ++t) sketch->slice("t", 10'000 + 10 * t, 5);
  }
  for (std::size_t m = 0; m < kFewMarks; ++m) few.instant("t", 20'000 + static_cast<Ns>(m));
  for (std::size_t m = 0; m <= kFewMarks; ++m) many.instant("t", 20'000 + static_cast<Ns>(m));
  many.instant("t", 9'000);
  CHECK(few.build()->work == TimeRange{0, 1'995});
  CHECK(many.build()->work == TimeRange{1'000, 11'000 + static_cast<Ns>(kFewMarks)});
  // A trace of marks with a slice among them.
  TraceSketch marks;
  marks.slice("t", 100, 10).instant("t", 500).instant("t", 900);
  CHECK(marks.build()->work == TimeRange{0, 800});
}

TEST_CASE("work_extent: an unclosed slice extends to the last mark, and so does the work") {
  TraceSketch sketch;
  sketch.half("t", HalfEvent::Kind::Begin, 10, "open").slice("t", 20, 80, "last").instant("u", 5'000, "heartbeat");
  const auto trace = sketch.build();
  CHECK(trace->slices.duration[0] == 4'990);
  CHECK(trace->work == TimeRange{0, 4'990});
  // Nothing has a length: then the last mark is all that is known.
  TraceSketch open;
  open.half("t", HalfEvent::Kind::Begin, 10, "open").instant("u", 50);
  CHECK(open.build()->slices.duration[0] == 40);
}

TEST_CASE("work_extent: the work of a GPU's outline with many collectives includes the other kernels") {
  EventBatch batch;
  const auto track = static_cast<std::uint32_t>(batch.tracks.intern("stream 7"));
  const LabelId collective = batch.labels.intern("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)");
  const LabelId other = batch.labels.intern("kernel", "gemm");
  SliceColumns slices;
  slices.add(track, 1'000, 10, other, kNoGroup, 0, 0);
  for (std::size_t n = 0; n < 2 * kFewMarks; ++n) {
    slices.add(track, 2'000 + 20 * static_cast<Ns>(n), 10, collective, kNoGroup, 0, 0);
  }
  slices.add(track, 9'000, 500, other, kNoGroup, 0, 0);
  batch.slices = SliceBlock(slices);
  SourceDraft outline{SourceInfo{}};
  outline.append(outline_of(batch));
  const auto found = build_trace({outline.view()}, test_pool());
  CHECK(found->origin_ns == 1'000);
  CHECK(found->work == TimeRange{0, 8'500});
  CHECK(found->slice_count >= 2 * kFewMarks);  // the collectives themselves, by which clocks are compared
}

TEST_CASE("work_extent: an outline's collectives without a length do not stand for its work") {
  EventBatch batch;
  const auto track = static_cast<std::uint32_t>(batch.tracks.intern("stream 7"));
  const LabelId collective = batch.labels.intern("kernel", "ncclDevKernel_AllReduce"), gemm = batch.labels.intern("kernel", "gemm");
  SliceColumns slices;
  slices.add(track, 5, 0, collective, kNoGroup, 0, 0);
  slices.add(track, 0, 100, gemm, kNoGroup, 0, 0);
  batch.slices = SliceBlock(slices);
  const EventBatch outline = outline_of(batch);
  CHECK(outline.slices.first == 0);
  CHECK(outline.slices.last == 100);
  CHECK(outline.slices.lasting == 1);
  CHECK(outline.instants.empty());  // the collective is a mark already
}

TEST_CASE("work_extent: a collective without an end has none in the outline either") {
  EventBatch batch;
  const auto track = static_cast<std::uint32_t>(batch.tracks.intern("stream 7"));
  SliceColumns slices;
  slices.add(track, 5, kOpenEnd, batch.labels.intern("kernel", "ncclDevKernel_AllReduce"), kNoGroup, 0, kUnfinished);
  batch.slices = SliceBlock(slices);
  const EventBatch outline = outline_of(batch);
  CHECK(any_open(outline.slices));
  CHECK(outline.slices.size() == 1);
}

TEST_CASE("work_extent: an outline has the same extent and work as the whole source") {
  for (const std::uint64_t seed : seeds(300)) {
    CAPTURE(seed);
    SourceDraft whole{SourceInfo{}}, outline{SourceInfo{}};
    Random random(seed);
    const auto most = random.in(0, 90);
    for (auto batches = random.in(1, 3); batches > 0; --batches) {
      const std::uint64_t of_batch = random.next();
      const auto batch = [&] {
        Random content(of_batch);
        EventBatch out;
        const auto track = static_cast<std::uint32_t>(out.tracks.intern("t"));
        const LabelId label = out.labels.intern("test", "a"), collective = out.labels.intern("", "ncclDevKernel_AllReduce");
        const double collectives = content.chance(0.5) ? 0 : content.chance(0.3) ? 1 : 0.5;
        SliceColumns slices;
        for (auto n = content.in(0, most); n > 0; --n) {
          const Ns duration = content.chance(0.3) ? 0 : content.chance(0.1) ? kOpenEnd : content.in(1, 300);
          const LabelId of_slice = content.chance(collectives) ? collective : label;
          slices.add(track, content.in(1'000, 2'000), duration, of_slice, kNoGroup, 0, duration == kOpenEnd ? kUnfinished : 0);
        }
        out.slices = SliceBlock(slices);
        for (auto n = content.in(0, most); n > 0; --n) {
          out.instants.push_back({track, label, content.chance(0.5) ? content.in(0, 1'100) : content.in(1'900, 2'600), 0});
        }
        for (auto n = content.chance(0.2) ? content.in(0, 3) : 0; n > 0; --n) {
          out.samples.push_back({track, content.in(500, 3'000), 1});
        }
        return out;
      };
      whole.append(batch());
      outline.append(outline_of(batch()));
    }
    const auto expected = build_trace({whole.view()}, test_pool()), found = build_trace({outline.view()}, test_pool());
    CHECK(found->origin_ns == expected->origin_ns);
    CHECK(found->extent == expected->extent);
    CHECK(found->work == expected->work);
  }
}
