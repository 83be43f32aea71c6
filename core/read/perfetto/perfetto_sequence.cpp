#include "core/read/perfetto/perfetto_sequence.h"

#include "core/read/perfetto/perfetto_fields.h"
#include "core/read/perfetto/proto_fields.h"

namespace tv {

namespace pf = perfetto;

std::vector<PerfettoText> interned_texts(std::string_view interned_data, std::vector<std::string>& locations) {
  std::vector<PerfettoText> out;
  ProtoFields fields(interned_data);
  ProtoField field, inner;
  while (fields.next(field)) {
    const bool location = field.number == pf::kSourceLocations;
    if (!location && field.number != pf::kCategories && field.number != pf::kNames &&
        field.number != pf::kAnnotationNames && field.number != pf::kAnnotationTexts) {
      continue;
    }
    PerfettoText entry;
    entry.kind = field.number;
    std::string_view file, function;
    std::uint64_t line = 0;
    ProtoFields message(field.bytes);
    while (message.next(inner)) {
      if (inner.number == pf::kIid) entry.iid = inner.value;
      if (!location && inner.number == pf::kText) entry.text = inner.bytes;
      if (location && inner.number == pf::kFile) file = inner.bytes;
      if (location && inner.number == pf::kFunction) function = inner.bytes;
      if (location && inner.number == pf::kLine) line = inner.value;
    }
    if (location) {
      std::string text(function);
      if (!file.empty())
        text += (text.empty() ? "" : " ") + ("(" + std::string(file) + ":" + std::to_string(line) + ")");
      locations.push_back(std::move(text));
    }
    out.push_back(entry);
  }
  std::size_t at = 0;
  for (PerfettoText& entry : out) {  // last, because `locations` moves its texts while it grows
    if (entry.kind == pf::kSourceLocations) entry.text = locations[at++];
  }
  return out;
}

void PerfettoSequence::clear() {
  names.clear();
  categories.clear();
  counters.clear();
  track.reset();
  clock.reset();
  extra_tracks.clear();
  extra_double_tracks.clear();
}

void PerfettoSequence::add_texts(std::string_view interned_data) {
  std::vector<std::string> locations;
  for (const PerfettoText& entry : interned_texts(interned_data, locations)) {
    if (entry.kind == pf::kNames) names[entry.iid] = entry.text;
    if (entry.kind == pf::kCategories) categories[entry.iid] = entry.text;
  }
}

// New defaults replace all earlier ones.
void PerfettoSequence::set_defaults(std::string_view defaults) {
  track.reset();
  clock.reset();
  extra_tracks.clear();
  extra_double_tracks.clear();
  ProtoFields fields(defaults);
  ProtoField field, inner;
  while (fields.next(field)) {
    if (field.number == pf::kDefaultClock) clock = static_cast<std::uint32_t>(field.value);
    if (field.number != pf::kEventDefaults) continue;
    ProtoFields event(field.bytes);
    while (event.next(inner)) {
      if (inner.number == pf::kTrackUuid) track = inner.value;
      const auto add = [](std::vector<std::uint64_t>& to) {
        return [&to](const ProtoField& one) { to.push_back(one.value); };
      };
      if (inner.number == pf::kExtraTracks) each_number(inner, 0, add(extra_tracks));
      if (inner.number == pf::kExtraDoubleTracks) each_number(inner, 0, add(extra_double_tracks));
    }
  }
}

PerfettoEnvelope read_envelope(std::string_view packet) {
  PerfettoEnvelope out;
  ProtoFields fields(packet);
  ProtoField field;
  while (fields.next(field)) {
    switch (field.number) {
      case pf::kTimestamp:
        out.timestamp = field.value;
        break;
      case pf::kTimestampClock:
        out.clock = static_cast<std::uint32_t>(field.value);
        break;
      case pf::kSequenceId:
        out.sequence = static_cast<std::uint32_t>(field.value);
        break;
      case pf::kSequenceFlags:
        out.cleared |= (field.value & pf::kStateCleared) != 0;
        break;
      case pf::kIncrementalStateCleared:
        out.cleared |= field.flag();
        break;
      case pf::kInternedData:
        out.interned = field.bytes;
        break;
      case pf::kDefaults:
        out.defaults = field.bytes;
        break;
      case pf::kTrackEvent:
        out.event = field.bytes;
        out.has_event = true;
        break;
      case pf::kMark:
        out.mark = static_cast<std::uint8_t>(field.value);
        break;
      default:
        break;
    }
  }
  return out;
}

}  // namespace tv
