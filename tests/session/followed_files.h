// Files that a session follows while they grow, and what it shows of them.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/session/desk.h"
#include "tests/support/golden.h"
#include "tests/support/places.h"
#include "tests/support/trace_text.h"

namespace tv::test {

inline LoadOptions that_follow() {
  LoadOptions options;
  options.align = std::nullopt;
  options.follow = true;
  return options;
}

inline std::string fixture_text(const std::string& name) {
  return read_file(source_dir() + std::string("/tests/fixtures/") + name);
}

inline std::string shown_text(const Trace& trace) {
  std::vector<std::string> lines;
  for (const SourceInfo& source : trace.sources) {
    lines.push_back(source.path + " " + std::to_string(source.shift.by) + " " + std::string(name(source.state)) + " " + source.reason);
  }
  return sorted_trace_text(trace, std::move(lines));
}

// A session whose clock advances each time it is polled.
class FollowedFiles {
 public:
  explicit FollowedFiles(std::vector<std::string> paths, LoadOptions options = that_follow()) : session(test_pool(), {}, std::move(options)) {
    session.open(std::move(paths));
    catch_up();
  }
  void catch_up() {
    session.look_now();
    wait_until([&] {
      session.follow_up(now_s_ += 0.01);
      return session.up_to_date() && !session.status().running();
    });
  }
  const Trace& trace() const { return *session.snapshot()->trace; }
  /// Compares with a fresh load, made after writing ended or, if `followed`, while writing may go on.
  void check_is_what_is_there(bool followed = false) {
    catch_up();
    LoadOptions options;
    options.align = std::nullopt;
    options.follow = followed;
    const auto at_once = load_snapshot(session.paths(), test_pool(), options)->trace;
    CHECK(first_difference(shown_text(*at_once), shown_text(trace())) == "");
    CHECK(check_invariants(trace()) == "");
  }

  Session session;

 private:
  double now_s_ = 0;
};

}  // namespace tv::test
