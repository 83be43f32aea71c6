// Files that are not complete yet. When a signal ends the program (Ctrl+C, kill, a closed terminal), these files are removed first.
// The program then prints "interrupted" and exits with 130.
//
// Cost: an entry takes 4 KiB and is reused. Entries can be created and forgotten on any thread.
#pragma once

#include <string>
#include <string_view>

namespace tv {

/// While this object lives, an interruption of the program removes the file or folder of this path (a folder only if it is empty by
/// then), or kills the process group of this number.
class Unfinished {
 public:
  enum class Kind { Processes, File, Folder };
  Unfinished() = default;
  explicit Unfinished(const std::string& path, Kind kind = Kind::File) { begin(path, kind); }
  Unfinished(Unfinished&& other) noexcept;
  Unfinished& operator=(Unfinished&&) = delete;
  ~Unfinished() { forget(); }
  /// Call once, before the file exists.
  void begin(const std::string& path, Kind kind = Kind::File);
  /// The file is complete or removed.
  void forget();

 private:
  void* entry_ = nullptr;
};

/// Delays signals while it lives, for files of which all or none must be written. Several may exist at a time, on any threads: the
/// last one to end lets a delayed signal through.
class AllOrNone {
 public:
  AllOrNone();
  ~AllOrNone();
  AllOrNone(const AllOrNone&) = delete;
  AllOrNone& operator=(const AllOrNone&) = delete;
};

/// Ends the program as a signal would, with another message and exit status. For places that cannot go on and must not return.
[[noreturn]] void end_cleanly(std::string_view message, int exit);

/// From now on SIGINT, SIGTERM and SIGHUP end the program cleanly, unless they are ignored (nohup, a background job).
void end_cleanly_on_signals();

}  // namespace tv
