#include "core/read/perfetto/perfetto_index.h"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "core/base/text/utf8.h"
#include "core/io/files/open_stream.h"
#include "core/read/perfetto/perfetto_event.h"
#include "core/read/perfetto/perfetto_fields.h"
#include "core/read/perfetto/perfetto_sequence.h"
#include "core/read/perfetto/perfetto_tracks.h"
#include "core/read/perfetto/proto_fields.h"
#include "core/store/draft/source_draft.h"

namespace tv {
namespace {

namespace pf = perfetto;

constexpr std::size_t kIndexStep = 1 << 20;

struct EventShape {
  PerfettoEvent event;  // only what says where it lies, and whether it begins or ends a slice
  bool annotated = false;
};

EventShape shape_of_event(std::string_view message) {
  EventShape shape;
  ProtoFields fields(message);
  ProtoField field;
  while (fields.next(field)) {
    if (field.number == pf::kType) shape.event.type = static_cast<std::int32_t>(field.value);
    if (field.number == pf::kTrackUuid) shape.event.track = field.value;
    if (field.number == pf::kLegacyEvent) shape.event.legacy = field.bytes;
    if (field.number == pf::kAnnotations) shape.annotated = true;
  }
  return shape;
}

// Reads all packets of a file. Finds the place of each event as the reader does, so that an end belongs to the same begin.
class PerfettoIndexing {
 public:
  explicit PerfettoIndexing(PerfettoIndex& index) : index_(index) {}

  void add(const PerfettoPacket& packet) {
    const PerfettoEnvelope envelope = read_envelope(packet.body);
    if (!envelope.interned.empty()) {
      std::vector<std::string> locations;
      for (const PerfettoText& entry : interned_texts(envelope.interned, locations)) {
        index_.texts.push_back({envelope.sequence, entry.kind, entry.iid, packet.offset, valid_utf8(entry.text)});
      }
    }
    PerfettoSequence& sequence = sequences_[envelope.sequence];
    if (envelope.cleared) sequence.clear();
    if (envelope.defaults) sequence.set_defaults(*envelope.defaults);
    ProtoFields fields(packet.body);
    ProtoField field;
    while (fields.next(field)) {
      if (field.number == pf::kTrackDescriptor) tracks_.add_descriptor(field.bytes);
      if (field.number == pf::kThreadDescriptor) sequence.thread = tracks_.add_thread(field.bytes);
      if (field.number == pf::kTrackEvent) add_event(envelope.sequence, sequence, field.bytes, packet.offset);
    }
  }

 private:
  void add_event(std::uint32_t id, const PerfettoSequence& sequence, std::string_view message, std::uint64_t offset) {
    EventShape shape = shape_of_event(message);
    PerfettoEvent& event = shape.event;
    event.track = PerfettoTracks::track_of(sequence, event);
    std::optional<PerfettoLegacy> legacy;
    if (!event.legacy.empty() && event.type == pf::kNoType) {
      legacy = read_perfetto_legacy(event.legacy);
      event.type = legacy->phase == 'B' ? pf::kBegin : legacy->phase == 'E' ? pf::kEnd : pf::kNoType;
    }
    if (event.type != pf::kBegin && event.type != pf::kEnd) return;
    std::vector<std::uint64_t>& begun = open_[tracks_.key_of_event(id, sequence, event, legacy ? &*legacy : nullptr)];
    if (event.type == pf::kBegin) {
      begun.push_back(offset);
    } else if (!begun.empty()) {
      if (shape.annotated) index_.ends.emplace_back(begun.back(), offset);
      begun.pop_back();
    }
  }

  PerfettoIndex& index_;
  SourceDraft draft_{SourceInfo{}};  // the tracks need one, but no lanes are named
  PerfettoTracks tracks_{draft_, LaneSegment{}};
  std::unordered_map<std::uint32_t, PerfettoSequence> sequences_;
  std::unordered_map<std::string, std::vector<std::uint64_t>> open_;  // by key of the track: offsets of begins without an end
};

Result<std::shared_ptr<const PerfettoIndex>> index_of_packets(const std::string& path) {
  auto stream = open_stream(path);
  if (!stream) return stream.error();
  auto index = std::make_shared<PerfettoIndex>();
  PerfettoPackets packets(**stream, kIndexStep);
  PerfettoPacket packet;
  PerfettoIndexing indexing(*index);
  while (true) {
    auto more = packets.next(packet);
    if (!more) return more.error();
    if (!*more) break;
    indexing.add(packet);
  }
  std::ranges::sort(index->texts, {}, &PerfettoIndex::Text::place);
  std::ranges::sort(index->ends);
  index->folds = packets.folds();
  return std::shared_ptr<const PerfettoIndex>(std::move(index));
}

}  // namespace

Result<std::shared_ptr<const PerfettoIndex>> perfetto_index(const std::string& path) {
  static std::mutex mutex;
  static std::string last_name;
  static std::shared_ptr<const PerfettoIndex> last;
  std::error_code none;
  const std::string name = fmt::format("{} {} {}", path, std::filesystem::file_size(path, none),
                                       std::filesystem::last_write_time(path, none).time_since_epoch().count());
  const std::lock_guard lock(mutex);
  if (last && last_name == name) return last;
  auto made = index_of_packets(path);
  if (made) {
    last_name = name;
    last = *made;
  }
  return made;
}

}  // namespace tv
