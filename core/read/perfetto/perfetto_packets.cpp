#include "core/read/perfetto/perfetto_packets.h"

#include <isa-l/igzip_lib.h>

#include <algorithm>

#include "core/read/perfetto/perfetto_fields.h"
#include "core/read/perfetto/proto_fields.h"

namespace tv {
namespace {

namespace pf = perfetto;

constexpr std::size_t kMostUnfolded = 1 << 30;  // of one compressed packet; more is damage or malice
constexpr std::size_t kLongestPacket = 1 << 30;
constexpr std::uint64_t kPacketTag = pf::kPacket << 3 | 2;
constexpr std::size_t kLongestVarint = 10;  // bytes

std::string_view compressed_part(std::string_view body) {
  ProtoFields fields(body);
  ProtoField field;
  while (fields.next(field)) {
    if (field.number == pf::kCompressedPackets && field.wire == ProtoField::Wire::Bytes) return field.bytes;
  }
  return {};
}

std::optional<std::string> inflated(std::string_view compressed) {
  inflate_state state;
  isal_inflate_init(&state);
  state.crc_flag = ISAL_ZLIB;
  state.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(compressed.data()));
  state.avail_in = static_cast<std::uint32_t>(compressed.size());
  std::string out;
  while (state.block_state != ISAL_BLOCK_FINISH) {
    const std::size_t before = out.size();
    if (before > kMostUnfolded) return std::nullopt;
    out.resize(std::max<std::size_t>(before * 2, std::max<std::size_t>(4096, compressed.size() * 4)));
    state.next_out = reinterpret_cast<std::uint8_t*>(out.data() + before);
    state.avail_out = static_cast<std::uint32_t>(out.size() - before);
    const int code = isal_inflate(&state);
    out.resize(out.size() - state.avail_out);
    if (code != ISAL_DECOMP_OK || (out.size() == before && state.block_state != ISAL_BLOCK_FINISH)) return std::nullopt;
  }
  return out;
}

}  // namespace

PerfettoPackets::Piece PerfettoPackets::cut(std::string_view text) {
  Piece piece;
  ProtoFields fields(text);
  const auto tag = fields.varint();
  if (!tag) {
    piece.damaged = text.size() >= kLongestVarint;
    return piece;
  }
  piece.packet = *tag == kPacketTag;
  const auto number = *tag >> 3;
  if (number == 0 || number > 1000) piece.damaged = true;  // a trace has no such fields
  const auto endless = [&] { return fields.rest().size() >= kLongestVarint; };  // a number that no further text would end
  switch (*tag & 7) {
    case 0:
      if (!fields.varint()) {
        piece.damaged |= endless();
        return piece;
      }
      break;
    case 1:
      if (!fields.fixed(8)) return piece;
      break;
    case 5:
      if (!fields.fixed(4)) return piece;
      break;
    case 2: {
      const auto length = fields.varint();
      if (length ? *length > kLongestPacket : endless()) piece.damaged = true;
      if (!length || *length > fields.rest().size()) return piece;
      piece.body = fields.rest().substr(0, static_cast<std::size_t>(*length));
      piece.bytes = text.size() - fields.rest().size() + piece.body.size();
      return piece;
    }
    default:
      piece.damaged = true;
      return piece;
  }
  piece.bytes = text.size() - fields.rest().size();
  return piece;
}

Result<bool> PerfettoPackets::next(PerfettoPacket& packet) {
  while (true) {
    if (next_folded(packet)) return true;
    if (ended_) return false;
    const std::size_t in_window = static_cast<std::size_t>(at_ - window_.offset);
    const std::string_view text = first_ ? std::string_view() : window_.text.substr(in_window);
    const Piece piece = cut(text);
    if (piece.damaged) {
      problems_.add(ProblemKind::bad_record, offset_, "no packet begins here: the rest of the file is not read");
      ended_ = true;
      return false;
    }
    if (piece.bytes == 0) {
      if (!first_ && window_.last) {
        if (!text.empty()) problems_.add(ProblemKind::truncated_record, offset_, "a packet");
        ended_ = true;
        return false;
      }
      auto more = feed_.more(at_);
      if (!more) return more.error();
      window_ = *more;
      first_ = false;
      continue;
    }
    const std::uint64_t file = at_;
    at_ += piece.bytes;
    if (piece.packet && !compressed_part(piece.body).empty()) {
      unfold(piece.body, file);
      continue;
    }
    packet = {offset_, piece.body};
    offset_ += piece.bytes;
    if (piece.packet) return true;
    problems_.add(ProblemKind::unsupported_phase, packet.offset, "something other than packets");
  }
}

bool PerfettoPackets::next_folded(PerfettoPacket& packet) {
  while (folded_at_ < folded_.size()) {
    const Piece piece = cut(std::string_view(folded_).substr(folded_at_));
    if (piece.bytes == 0 || piece.damaged) {
      problems_.add(ProblemKind::bad_record, offset_, "damaged compressed packets");
      offset_ += folded_.size() - folded_at_;
      folded_at_ = folded_.size();
      return false;
    }
    packet = {offset_, piece.body};
    offset_ += piece.bytes;
    folded_at_ += piece.bytes;
    if (piece.packet) return true;
  }
  return false;
}

void PerfettoPackets::unfold(std::string_view body, std::uint64_t file) {
  auto text = unfolded(body);
  if (!text) {
    problems_.add(ProblemKind::bad_record, offset_, "damaged compressed packets");
    offset_ += at_ - file;  // the packet stays compressed in the text
    return;
  }
  folded_ = std::move(*text);
  folded_at_ = 0;
  folds_.push_back({offset_, offset_ + folded_.size(), file, at_});
}

std::optional<std::string> unfolded(std::string_view packet_body) {
  const std::string_view compressed = compressed_part(packet_body);
  return compressed.empty() ? std::nullopt : inflated(compressed);
}

std::optional<std::string_view> perfetto_packet(std::string_view text) {
  ProtoFields fields(text);
  ProtoField field;
  if (!fields.next(field) || field.number != pf::kPacket || field.wire != ProtoField::Wire::Bytes) return std::nullopt;
  return field.bytes;
}

bool may_begin_packet(std::string_view text) {
  ProtoFields fields(text);
  const auto tag = fields.varint();
  if (!tag) return text.size() < kLongestVarint;
  if (*tag != kPacketTag) return false;
  const auto length = fields.varint();
  return length ? *length <= kLongestPacket : fields.rest().size() < kLongestVarint;
}

// A packet's tag is a line feed. Few texts begin with one, and their next bytes do not make fields with lengths that fit.
bool looks_like_perfetto(std::string_view head) {
  std::size_t packets = 0, fields_seen = 0;
  while (!head.empty() && packets < 8) {
    ProtoFields outer(head);
    if (outer.varint() != kPacketTag) return false;
    const auto length = outer.varint();
    if (!length || *length > kLongestPacket) return false;
    const bool whole = *length <= outer.rest().size();
    const std::string_view body =
        outer.rest().substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(*length, outer.rest().size())));
    ProtoFields fields(body);
    ProtoField field;
    while (fields.next(field)) {
      if (field.number > 10'000) return false;
      ++fields_seen;
    }
    if (!whole) break;
    if (fields.damaged()) return false;
    ++packets;
    head = outer.rest().substr(body.size());
  }
  return packets > 0 ? fields_seen > 0 : fields_seen > 1;
}

}  // namespace tv
