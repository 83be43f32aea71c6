#include "tests/support/big_output.h"

#include <algorithm>
#include <cstring>

namespace tv::test {

std::uint64_t TextOut::bytes() {
  settle();
  return flushed_ + buffer_.size();
}

void TextOut::flush() {
  settle();
  if (buffer_.size() == 0) return;
  sink_(std::string_view(buffer_.data(), buffer_.size()));
  flushed_ += buffer_.size();
  buffer_.clear();
  settled_ = 0;
}

void TextOut::settle() {
  if (!one_line_) return;
  char* out = buffer_.data() + settled_;
  const char* in = out;
  const char* const end = buffer_.data() + buffer_.size();
  while (in < end) {
    if (in_indent_) {
      while (in < end && (*in == ' ' || *in == '\n')) ++in;
      if (in == end) break;
      in_indent_ = false;
    }
    const void* const line_break = std::memchr(in, '\n', static_cast<std::size_t>(end - in));
    const auto length = static_cast<std::size_t>((line_break ? static_cast<const char*>(line_break) : end) - in);
    std::memmove(out, in, length);
    out += length;
    in += length;
    in_indent_ = line_break != nullptr;
  }
  buffer_.resize(static_cast<std::size_t>(out - buffer_.data()));
  settled_ = buffer_.size();
}

NameId Tally::name(std::string_view text) {
  if (const auto found = name_ids_.find(text); found != name_ids_.end()) return found->second;
  const auto id = static_cast<NameId>(names_.size());
  names_.push_back({std::string(text)});
  name_ids_.emplace(names_.back().text, id);
  return id;
}

TrackId Tally::lane(std::string_view key) {
  const auto [found, fresh] = lane_ids_.try_emplace(std::string(key), static_cast<TrackId>(lane_used_.size()));
  if (fresh) lane_used_.push_back(false);
  return found->second;
}

BigTruth Tally::truth(std::uint64_t bytes) const {
  BigTruth truth = truth_;
  truth.bytes = bytes;
  truth.lanes = static_cast<std::uint64_t>(std::count(lane_used_.begin(), lane_used_.end(), true));
  if (first_ <= last_) {
    truth.begin_ns = first_;
    truth.end_ns = last_;
  }
  for (const Name& name : names_) {
    if (!name.used) continue;
    ++truth.names;
    if (name.total > 0) truth.longest.push_back({name.text, name.total});
  }
  std::sort(truth.longest.begin(), truth.longest.end(), [](const BigTruth::Total& a, const BigTruth::Total& b) {
    return a.total_ns != b.total_ns ? a.total_ns > b.total_ns : a.name < b.name;
  });
  if (truth.longest.size() > 5) truth.longest.resize(5);
  return truth;
}

// The names need no JSON escapes: they are written to the files unescaped, too.
std::string to_json(const BigTruth& truth) {
  std::string json = fmt::format(
      "{{\n \"bytes\": {},\n \"files\": {},\n \"slices\": {},\n \"instants\": {},\n \"samples\": {},\n \"flows\": {},\n"
      " \"lanes\": {},\n \"names\": {},\n \"begin_ns\": {},\n \"end_ns\": {},\n \"longest\": [",
      truth.bytes, truth.files, truth.slices, truth.instants, truth.samples, truth.flows, truth.lanes, truth.names,
      truth.begin_ns, truth.end_ns);
  for (const BigTruth::Total& total : truth.longest) {
    json += fmt::format("{}\n  {{\"name\": \"{}\", \"total_ns\": {}}}", json.back() == '[' ? "" : ",", total.name,
                        total.total_ns);
  }
  json += "\n ]";
  if (truth.steps > 0) {
    json += fmt::format(",\n \"steps\": {},\n \"workers\": {},\n \"requests\": {}", truth.steps, truth.workers,
                        truth.requests);
  }
  return json + "\n}\n";
}

}  // namespace tv::test
