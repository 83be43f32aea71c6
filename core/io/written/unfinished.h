// Files that are not complete yet: a signal that ends the program (Ctrl+C, kill, a closed terminal) removes them first, says
// "interrupted" and ends with 130. No file stays behind whose writer was interrupted.
//
// Cost: an entry takes 4 KiB and is used again. Entries are made and forgotten from any thread.
#pragma once

#include <string>
#include <string_view>

namespace tv {

/// A file or a folder that goes when the program is interrupted while this lives, a folder only if it is empty by then; or a
/// group of processes, by its number, that is ended.
class Unfinished {
 public:
  enum class Kind { Processes, File, Folder };
  Unfinished() = default;
  explicit Unfinished(const std::string& path, Kind kind = Kind::File) { begin(path, kind); }
  Unfinished(Unfinished&& other) noexcept;
  Unfinished& operator=(Unfinished&&) = delete;
  ~Unfinished() { forget(); }
  /// Once; before it is there.
  void begin(const std::string& path, Kind kind = Kind::File);
  /// It is complete, or gone.
  void forget();

 private:
  void* place_ = nullptr;
};

/// While it lives a signal waits: for files that are to be there all or none. One at a time.
class AllOrNone {
 public:
  AllOrNone();
  ~AllOrNone();
  AllOrNone(const AllOrNone&) = delete;
  AllOrNone& operator=(const AllOrNone&) = delete;
};

/// Ends the program as a signal would, in other words and with another exit status: where it can't go on and may not return.
[[noreturn]] void end_cleanly(std::string_view said, int exit);

/// From now on SIGINT, SIGTERM and SIGHUP do this, except those that are ignored (nohup, a job in the background).
void end_cleanly_on_signals();

}  // namespace tv
