#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/io/streams/text_streams.h"

namespace tv {
namespace {

class ContainerStream : public ByteStream {
 public:
  ContainerStream(std::unique_ptr<ByteStream> wrapped, ContainerLog kind)
      : wrapped_(std::move(wrapped)), kind_(kind), input_(64 << 10) {}

  Result<std::size_t> read(std::span<char> out) override {
    std::size_t done = 0;
    while (done < out.size()) {
      if (handed_out_ == ready_.size()) {
        ready_.clear();
        handed_out_ = 0;
        if (ended_) break;
        if (auto more = read_lines(); !more) return more.error();
        continue;
      }
      const std::size_t n = ready_.copy(out.data() + done, out.size() - done, handed_out_);
      handed_out_ += n;
      done += n;
    }
    return done;
  }
  std::uint64_t consumed() const override { return wrapped_->consumed(); }
  std::string damage() const override { return wrapped_->damage(); }

 private:
  // Reads more input and adds its lines to ready_.
  Result<void> read_lines() {
    auto n = wrapped_->read(input_);
    if (!n) return n.error();
    ended_ = *n == 0;
    if (ended_) {
      finish();
      return {};
    }
    std::string_view rest(input_.data(), *n);
    for (std::size_t newline = rest.find('\n'); newline != rest.npos; newline = rest.find('\n')) {
      partial_line_ += rest.substr(0, newline);
      rest.remove_prefix(newline + 1);
      add(partial_line_);
      partial_line_.clear();
    }
    partial_line_ += rest;
    return {};
  }

  void add(std::string_view raw) {
    const auto line = container_line(raw, kind_);
    if (!line) {
      ready_.append(raw) += '\n';
      return;
    }
    std::string& before = pieces_[line->stream];
    if (!line->whole) {
      before += line->text;
      times_[line->stream] = line->time;
      return;
    }
    ready_.append(line->time).append(" ").append(before).append(line->text) += '\n';
    before.clear();
  }

  // An unfinished line gets no newline, so that readers know that its last number may be incomplete.
  void finish() {
    if (!partial_line_.empty()) {
      const auto line = container_line(partial_line_, kind_);
      if (line && line->whole && kind_ != ContainerLog::Cri) {
        add(partial_line_);
      } else if (line) {
        pieces_[line->stream] += line->text;
        times_[line->stream] = line->time;
      } else if (std::ranges::all_of(pieces_, [](const auto& piece) { return piece.second.empty(); })) {
        ready_ += partial_line_;
      }
    }
    for (const auto& [stream, text] : pieces_) {
      if (text.empty()) continue;
      if (!ready_.empty() && !ready_.ends_with('\n')) ready_ += '\n';
      ready_.append(times_[stream]).append(" ").append(text);
    }
  }

  std::unique_ptr<ByteStream> wrapped_;
  ContainerLog kind_;
  std::vector<char> input_;
  std::string partial_line_;  // an input line whose newline was not read yet
  std::string ready_;
  std::size_t handed_out_ = 0;                         // bytes of ready_
  std::map<std::string, std::string> pieces_, times_;  // by stream: the beginning of an unfinished line, and its time
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteStream> make_container_stream(std::unique_ptr<ByteStream> wrapped, ContainerLog kind) {
  return std::make_unique<ContainerStream>(std::move(wrapped), kind);
}

}  // namespace tv
