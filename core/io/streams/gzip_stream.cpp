#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/base/memory/column.h"
#include "core/io/streams/text_streams.h"

namespace tv {
namespace {

constexpr std::size_t kInputBytes = 256 << 10, kOutputBytes = 1 << 20;
constexpr std::size_t kOverrun = 64;  // readable bytes after the input, because ISA-L may take a byte too many (see `overrun`)

// The text of a damaged file must not depend on how it is read. On damage, ISA-L drops text that did not fit into the output
// buffer, so it always gets room for kOutputBytes: an internal buffer if less is requested. The smaller the input buffer, the more
// text ISA-L returns before the damage; so input buffers are always filled.
class GzipStream : public ByteStream {
 public:
  explicit GzipStream(std::unique_ptr<ByteStream> compressed)
      : compressed_(std::move(compressed)), input_(kInputBytes + kOverrun) {
    begin_member();
  }

  Result<std::size_t> read(std::span<char> out) override {
    std::size_t done = 0;
    while (done < out.size()) {
      if (ready_.empty()) {
        const bool in_place = out.size() - done >= kOutputBytes;
        if (!in_place && !output_) output_ = std::make_unique_for_overwrite<char[]>(kOutputBytes);
        auto inflated = inflate(in_place ? out.data() + done : output_.get());
        if (!inflated) return inflated;
        if (*inflated == 0) break;
        if (in_place) {
          done += *inflated;
          continue;
        }
        ready_ = {output_.get(), *inflated};
      }
      const std::size_t n = std::min(ready_.size(), out.size() - done);
      std::memcpy(out.data() + done, ready_.data(), n);
      ready_.remove_prefix(n);
      done += n;
    }
    return done;
  }

  std::uint64_t consumed() const override { return compressed_->consumed() - state_.avail_in; }
  std::string damage() const override { return damage_.empty() && ended_ ? compressed_->damage() : damage_; }

  void note_checkpoints(std::shared_ptr<TextCheckpoints> checkpoints) override {
    if (compressed_->reach() > 0) checkpoints_ = std::move(checkpoints);
  }
  std::uint64_t resume(const TextCheckpoints& checkpoints, std::uint64_t offset) override {
    const TextCheckpoints::Place place = checkpoints.before(offset);
    const auto* const from = dynamic_cast<const Checkpoint*>(place.state.get());
    if (!from || compressed_->reach() < from->consumed) return 0;
    state_ = from->state;
    state_.avail_in = 0;
    between_members_ = from->between_members;
    drained_ = from->drained;
    members_ = from->members;
    inflated_ = place.offset;
    compressed_->seek(from->consumed);
    return place.offset;
  }

 private:
  struct Checkpoint : TextCheckpoints::State {
    inflate_state state;  // including the window for back-references
    std::uint64_t consumed;
    bool between_members, drained;
    std::uint64_t members;
  };

  void note_checkpoint() {
    if (!checkpoints_ || ended_ || !checkpoints_->wanted(inflated_)) return;
    auto checkpoint = std::make_shared<Checkpoint>();
    checkpoint->state = state_;
    checkpoint->consumed = consumed();
    checkpoint->between_members = between_members_;
    checkpoint->drained = drained_;
    checkpoint->members = members_;
    checkpoints_->add(inflated_, std::move(checkpoint));
  }

  // Inflates text into `to`, which has room for kOutputBytes. Returns its length; 0 at the end.
  Result<std::size_t> inflate(char* to) {
    note_checkpoint();
    std::size_t done = 0;
    while (done == 0 && !ended_) {
      // If the output buffer was filled, ISA-L may hold more text. That comes first, even at the end of a truncated file.
      if (state_.avail_in == 0 && drained_) {
        auto n = read_fully(*compressed_, {input_.data(), kInputBytes});
        if (!n && inflated_ == 0) return n;
        if (!n) {  // the text inflated so far is still shown
          damage_ = n.error().reason();
          ended_ = true;
          break;
        }
        state_.next_in = reinterpret_cast<std::uint8_t*>(input_.data());
        state_.avail_in = static_cast<std::uint32_t>(*n);
        if (*n == 0) {
          // The file ends inside a member, or before the first one; the end is regular only between members.
          if (!between_members_ || members_ == 0) damage_ = "the gzip data ends early";
          ended_ = true;
          break;
        }
      }
      if (between_members_) {
        skip_padding();
        if (state_.avail_in == 0) continue;
        if (!next_member_begins()) break;
      }
      state_.next_out = reinterpret_cast<std::uint8_t*>(to);
      state_.avail_out = static_cast<std::uint32_t>(kOutputBytes);
      const std::uint32_t had_in = state_.avail_in;
      const int code = isal_inflate(&state_);
      done = kOutputBytes - state_.avail_out;
      drained_ = state_.avail_out > 0;
      // avail_in may grow by a few bytes: ISA-L returns bytes that it had taken into its bit buffer. At the end of some damaged
      // files it takes a byte too many, and avail_in wraps below zero.
      const bool overrun = state_.avail_in > had_in + sizeof state_.read_in;
      if (overrun) state_.avail_in = 0;
      if (code < 0 || overrun) {
        damage_ = "the gzip data is damaged";
        ended_ = true;
      } else if (state_.block_state == ISAL_BLOCK_FINISH) {
        between_members_ = drained_ = true;
        ++members_;
      }
    }
    inflated_ += done;
    return done;
  }

  void begin_member() {
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_GZIP;
  }

  // Tapes and block devices pad members with zeros. Anything else between members, or after the last one, is damage.
  void skip_padding() {
    while (members_ > 0 && state_.avail_in > 0 && *state_.next_in == 0) {
      ++state_.next_in;
      --state_.avail_in;
    }
  }

  bool next_member_begins() {
    if (members_ > 0 && *state_.next_in != 0x1f) {
      damage_ = "other data follows the gzip data";
      ended_ = true;
      return false;
    }
    std::uint8_t* const next_in = state_.next_in;
    const std::uint32_t avail_in = state_.avail_in;
    begin_member();
    state_.next_in = next_in;
    state_.avail_in = avail_in;
    between_members_ = false;
    return true;
  }

  std::unique_ptr<ByteStream> compressed_;
  Column<char> input_;
  std::unique_ptr<char[]> output_;  // allocated when needed
  std::string_view ready_;  // inflated, not yet read
  inflate_state state_{};
  bool between_members_ = true, drained_ = true, ended_ = false;
  std::uint64_t members_ = 0, inflated_ = 0;
  std::shared_ptr<TextCheckpoints> checkpoints_;
  std::string damage_;
};

}  // namespace

std::unique_ptr<ByteStream> make_gzip_stream(std::unique_ptr<ByteStream> compressed) {
  return std::make_unique<GzipStream>(std::move(compressed));
}

}  // namespace tv
