// Numbers of the fields in Perfetto's messages that are written (protos/perfetto/trace/*.proto, Apache-2.0).
#pragma once

#include <cstdint>

namespace tv::perfetto {

enum Trace : std::uint32_t { kPacket = 1 };

enum Packet : std::uint32_t {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kTrackDescriptor = 60,
};
enum SequenceFlag : std::uint32_t { kStateCleared = 1, kNeedsState = 2 };

enum ClockSnapshot : std::uint32_t { kClocks = 1, kPrimaryClock = 2 };
enum Clock : std::uint32_t { kClockId = 1, kClockTime = 2 };
enum ClockName : std::uint32_t { kRealtime = 1, kBoottime = 6 };

enum Interned : std::uint32_t { kCategories = 1, kNames = 2 };
enum InternedText : std::uint32_t { kIid = 1, kText = 2 };

enum Track : std::uint32_t {
  kUuid = 1,
  kTrackName = 2,
  kProcess = 3,
  kParent = 5,
  kCounter = 8,
  kChildOrdering = 11,
  kSiblingRank = 12,
};
enum Process : std::uint32_t { kPid = 1, kProcessName = 6 };
inline constexpr std::int32_t kExplicitOrder = 3;

enum Event : std::uint32_t {
  kCategoryIid = 3,
  kAnnotations = 4,
  kType = 9,
  kNameIid = 10,
  kTrackUuid = 11,
  kDoubleValue = 44,
  kFlowIds = 47,
  kEndingFlowIds = 48,
};
enum EventType : std::int32_t { kBegin = 1, kEnd = 2, kInstant = 3, kSample = 4 };

enum Annotation : std::uint32_t {
  kBool = 2,
  kUint = 3,
  kInt = 4,
  kDouble = 5,
  kString = 6,
  kName = 10,
  kEntries = 11,
  kElements = 12,
};

}  // namespace tv::perfetto
