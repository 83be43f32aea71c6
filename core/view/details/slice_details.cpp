#include "core/view/details/slice_details.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/query/neighbours.h"

namespace tv {
namespace {

std::string name_of(const Trace& trace, SliceId slice) {
  return std::string(trace.name_of(slice));
}

RelatedSlice related(const Trace& trace, SliceId slice, Ns gap) {
  const Row& row = trace.row(trace.row_of(slice));
  return {slice, name_of(trace, slice), trace.lane(row.lane).name, gap};
}

std::vector<std::string> notes_on(ItemRef ref) {
  struct Note {
    ItemFlag flag;
    const char* text;
  };
  constexpr Note kNotes[] = {
      {kUnfinished, "never ended in the file; drawn to the file's end"},
      {kClamped, "negative duration in the file; shown with zero length"},
      {kRepaired, "malformed record, repaired"},
  };
  std::vector<std::string> notes;
  for (const Note& note : kNotes) {
    if (ref.is(note.flag)) notes.emplace_back(note.text);
  }
  return notes;
}

void add_flows(const Trace& trace, SliceDetails& details) {
  const auto end_of = [&](SliceId s) { return trace.end_of(s); };
  const auto begin_of = [&](SliceId s) { return trace.begin_of(s); };
  const SliceId slice = details.slice;
  trace.flows.leaving(slice, [&](std::size_t, const Flow& flow) {
    if (details.outgoing_count++ >= SliceDetails::kMostFlows) return;
    details.outgoing.push_back(related(trace, flow.to, begin_of(flow.to) - end_of(slice)));
  });
  trace.flows.entering(slice, [&](std::size_t, const Flow& flow) {
    if (details.incoming_count++ >= SliceDetails::kMostFlows) return;
    details.incoming.push_back(related(trace, flow.from, begin_of(slice) - end_of(flow.from)));
  });
}

}  // namespace

std::string SliceDetails::text() const {
  std::string out = fmt::format("{}\n", name);
  if (!category.empty()) out += fmt::format("category: {}\n", category);
  out += fmt::format("lane: {}\nbegin: {} ({}{}{})\n", fmt::join(lane_path, " / "), format_exact(begin),
                     format_wall_clock(begin_abs), zone.empty() ? "" : " ", zone);
  if (!instant) out += fmt::format("duration: {}\nself: {}\n", format_exact(duration), format_exact(self));
  for (const std::string& note : notes) out += fmt::format("note: {}\n", note);
  out += fmt::format("source: {}\n", source);
  return out;
}

SliceDetails slice_details(const Trace& trace, SliceId slice) {
  const Row& row = trace.row(trace.row_of(slice));
  const ItemRef ref = trace.ref_of(slice);
  const LabelId label = trace.label_of(slice);
  SliceDetails details;
  details.slice = slice;
  details.name = trace.labels.name(label);
  details.category = trace.labels.category(label);
  details.lane_path = trace.path_of(row.lane);
  details.instant = row.kind == RowKind::Instants;
  details.begin = trace.begin_of(slice);
  details.begin_abs = trace.origin_ns + details.begin;
  details.duration = trace.duration_of(slice);
  details.self = trace.self_of(slice);
  details.notes = notes_on(ref);
  if (idx(ref.source()) < trace.sources.size()) {
    const SourceInfo& source = trace.sources[idx(ref.source())];
    details.source = source.path;
    details.begin_abs -= source.aligned.by;
    const bool unknown = source.clock_fit.evidence == ClockEvidence::NoZone;
    if (details.begin_abs >= kYear2001) details.zone = unknown ? "local time, zone unknown" : "UTC";
    if (!source.by_row) details.source += fmt::format(" at byte {}", ref.offset());  // the record of a table's row says which row it is
  }
  if (const auto parent = parent_of(trace, slice)) {
    details.parent = related(trace, *parent, details.begin - trace.begin_of(*parent));
  }
  const Children children = children_of(trace, slice);
  details.children = children.count;
  details.first_child = children.first;
  add_flows(trace, details);
  return details;
}

}  // namespace tv
