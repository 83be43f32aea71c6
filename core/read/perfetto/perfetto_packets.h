// Returns the packets of a Perfetto trace in the order of the file, including those in compressed packets. Offsets refer to the
// text in which compressed packets are replaced by their content (unless that cannot be inflated), so each packet has an offset
// of its own, by which it can be found again. Memory: a window of the file. Source: trace.proto, trace_packet.proto
// (compressed_packets: zlib).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/streams/text_feed.h"
#include "core/store/draft/problem.h"

namespace tv {

struct PerfettoPacket {
  std::uint64_t offset = 0;  ///< offset of its tag
  std::string_view body;     ///< valid until the next call
};

/// A compressed packet: its content is text [begin, end), and the packet itself is [file, file_end) in the file.
struct PerfettoFold {
  std::uint64_t begin = 0, end = 0, file = 0, file_end = 0;
};

class PerfettoPackets {
 public:
  PerfettoPackets(ByteStream& stream, std::size_t step_bytes) : feed_(stream, step_bytes) {}

  /// Reads the next packet. False at the end, and if the rest of the file cannot be understood.
  Result<bool> next(PerfettoPacket& packet);

  const std::vector<PerfettoFold>& folds() const { return folds_; }
  ProblemLog take_problems() { return std::exchange(problems_, {}); }

 private:
  struct Piece {
    std::string_view body;
    std::size_t bytes = 0;  // including tag and length; 0: the text ends first
    bool packet = false;
    bool damaged = false;
  };
  static Piece cut(std::string_view text);
  bool next_folded(PerfettoPacket& packet);
  void unfold(std::string_view body, std::uint64_t file);

  TextFeed feed_;
  TextWindow window_;
  std::uint64_t at_ = 0;      // in the file
  std::uint64_t offset_ = 0;  // in the text
  std::string folded_;        // content of the last compressed packet
  std::size_t folded_at_ = 0;  // how far folded_ was read
  std::vector<PerfettoFold> folds_;
  ProblemLog problems_;
  bool first_ = true, ended_ = false;
};

/// Whether the file begins like a Perfetto trace: with a whole packet, or with as much of one as `head` has.
bool looks_like_perfetto(std::string_view head);
/// The body of the packet whose tag begins the text; nothing if the text ends before the packet does.
std::optional<std::string_view> perfetto_packet(std::string_view text);
/// Whether a packet begins the text, or may begin it once there is more text. False also for packets longer than any that is read.
bool may_begin_packet(std::string_view text);
/// The packet's compressed content, inflated. Nothing if it has none, or if it is damaged.
std::optional<std::string> unfolded(std::string_view packet_body);

}  // namespace tv
