#include "core/read/perfetto/perfetto_event.h"

#include <fmt/format.h>

#include <unordered_map>

#include "core/read/perfetto/proto_fields.h"

namespace tv {
namespace {

namespace pf = perfetto;

double counter_value(const ProtoField& field) {
  return field.wire == ProtoField::Wire::Varint ? static_cast<double>(field.integer()) : field.real();
}

std::string perfetto_text(const std::unordered_map<std::uint64_t, std::string>& texts, std::uint64_t iid) {
  const auto found = texts.find(iid);
  if (found != texts.end()) return found->second;
  return fmt::format("#{}", iid);  // the text is lost, or was never in the file
}

}  // namespace

PerfettoEvent read_perfetto_event(const PerfettoSequence& sequence, std::string_view message) {
  PerfettoEvent event;
  std::uint64_t name_iid = 0;
  const auto add_category = [&](std::string_view text) {
    event.category.append(event.category.empty() ? "" : ",").append(text);
  };
  ProtoFields fields(message);
  ProtoField field;
  const auto into = [](std::vector<std::uint64_t>& to) {
    return [&to](const ProtoField& one) { to.push_back(one.value); };
  };
  while (fields.next(field)) {
    switch (field.number) {
      case pf::kType:
        event.type = static_cast<std::int32_t>(field.value);
        break;
      case pf::kTrackUuid:
        event.track = field.value;
        break;
      case pf::kNameIid:
        name_iid = field.value;
        break;
      case pf::kNameText:
        event.name = field.bytes;
        break;
      case pf::kCategoryIid:
        each_number(field, 0,
                    [&](const ProtoField& one) { add_category(perfetto_text(sequence.categories, one.value)); });
        break;
      case pf::kCategoryText:
        add_category(field.bytes);
        break;
      case pf::kValue:
      case pf::kDoubleValue:
        event.value = counter_value(field);
        break;
      case pf::kExtraTracks:
        each_number(field, 0, into(event.extra_tracks));
        break;
      case pf::kExtraDoubleTracks:
        each_number(field, 0, into(event.extra_double_tracks));
        break;
      case pf::kExtraValues:
        each_number(field, 0,
                    [&](const ProtoField& one) { event.extra_values.push_back(static_cast<double>(one.integer())); });
        break;
      case pf::kExtraDoubleValues:
        each_number(field, 8, [&](const ProtoField& one) { event.extra_double_values.push_back(one.real()); });
        break;
      case pf::kFlowIds:
        each_number(field, 8, into(event.flows));
        break;
      case pf::kOldFlowIds:
        each_number(field, 0, into(event.flows));
        break;
      case pf::kEndingFlowIds:
        each_number(field, 8, into(event.ending_flows));
        break;
      case pf::kOldEndingFlowIds:
        each_number(field, 0, into(event.ending_flows));
        break;
      case pf::kLegacyEvent:
        event.legacy = field.bytes;
        break;
      case pf::kAnnotations:
        event.annotations.push_back(field.bytes);
        break;
      case pf::kTimeDelta:
        event.delta_us = field.integer();
        break;
      case pf::kTimeAbsolute:
        event.absolute_us = field.integer();
        break;
      default:
        break;
    }
  }
  if (name_iid == 0 && event.name.empty() && !event.legacy.empty()) {
    ProtoFields legacy(event.legacy);
    while (legacy.next(field)) {
      if (field.number == pf::kLegacyNameIid) name_iid = field.value;
    }
  }
  if (name_iid > 0 && event.name.empty()) event.name = perfetto_text(sequence.names, name_iid);
  return event;
}

PerfettoLegacy read_perfetto_legacy(std::string_view message) {
  PerfettoLegacy legacy;
  ProtoFields fields(message);
  ProtoField field;
  while (fields.next(field)) {
    switch (field.number) {
      case pf::kPhase:
        legacy.phase = static_cast<char>(field.value);
        break;
      case pf::kDurationUs:
        legacy.duration_us = field.integer();
        break;
      case pf::kUnscopedId:
      case pf::kGlobalId:
        legacy.id = field.value;
        break;
      case pf::kLocalId:
        legacy.local_id = field.value;
        break;
      case pf::kIdScope:
        legacy.scope = field.bytes;
        break;
      case pf::kBindId:
        legacy.bind_id = field.value;
        break;
      case pf::kBindToEnclosing:
        legacy.enclosing = field.flag();
        break;
      case pf::kFlowDirection:
        legacy.direction = field.value;
        break;
      case pf::kInstantScope:
        legacy.instant_scope = field.value;
        break;
      case pf::kPidOverride:
        legacy.pid = static_cast<std::int32_t>(field.value);
        break;
      case pf::kTidOverride:
        legacy.tid = static_cast<std::int32_t>(field.value);
        break;
      default:
        break;
    }
  }
  return legacy;
}

}  // namespace tv
