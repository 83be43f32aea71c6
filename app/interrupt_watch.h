// While it lives Ctrl+C and `kill` are noticed between two pieces of work, so that no half file is left behind. A second
// one ends the program at once. One at a time.
#pragma once

namespace tv {

class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
};

/// Since the program was started.
bool was_interrupted();

}  // namespace tv
