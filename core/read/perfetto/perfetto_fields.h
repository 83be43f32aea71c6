// The numbers of those fields of Perfetto's messages that are read or written here. Source: protos/perfetto/trace/*.proto of
// github.com/google/perfetto (Apache-2.0): trace_packet, clock_snapshot, interned_data/interned_data, track_event/{track_event,
// track_descriptor, process_descriptor, thread_descriptor, counter_descriptor, debug_annotation, source_location},
// ps/process_tree.
#pragma once

#include <cstdint>

namespace tv::perfetto {

enum Trace : std::uint32_t { kPacket = 1 };

enum Packet : std::uint32_t {
  kProcessTree = 2,
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kIncrementalStateCleared = 41,  ///< in traces older than the flags
  kProcessDescriptor = 43,
  kThreadDescriptor = 44,
  kCompressedPackets = 50,
  kTimestampClock = 58,
  kDefaults = 59,
  kTrackDescriptor = 60,
  kMark = 8701,  ///< traceview's own field, which other programs skip: the ItemFlags of a slice that begins
};
enum SequenceFlag : std::uint32_t { kStateCleared = 1, kNeedsState = 2 };

enum Defaults : std::uint32_t { kEventDefaults = 11, kDefaultClock = 58 };

enum ClockSnapshot : std::uint32_t { kClocks = 1, kPrimaryClock = 2 };
enum Clock : std::uint32_t { kClockId = 1, kClockTime = 2, kIncrementalClock = 3, kClockUnit = 4 };
enum ClockName : std::uint32_t { kRealtime = 1, kBoottime = 6, kFirstOfSequence = 64, kLastOfSequence = 127 };

enum Interned : std::uint32_t {
  kCategories = 1,
  kNames = 2,
  kAnnotationNames = 3,
  kSourceLocations = 4,
  kAnnotationTexts = 29,
};
enum InternedText : std::uint32_t { kIid = 1, kText = 2 };
enum SourceLocation : std::uint32_t { kFile = 2, kFunction = 3, kLine = 4 };

enum Track : std::uint32_t {
  kUuid = 1,
  kTrackName = 2,
  kProcess = 3,
  kThread = 4,
  kParent = 5,
  kCounter = 8,
  kStaticName = 10,
  kChildOrdering = 11,
  kSiblingRank = 12,
  kExportedLane = 8701,  ///< traceview's own field, which other programs skip: exported_lane_text()
  kExportedSlot = 8702,  ///< another such field, for a packed lane: the slot plus 1
};
enum Process : std::uint32_t { kPid = 1, kCommandLine = 2, kProcessName = 6 };
enum Thread : std::uint32_t { kThreadPid = 1, kTid = 2, kThreadName = 5, kReferenceTime = 6 };
enum Counter : std::uint32_t { kCounterKind = 1, kUnit = 3, kUnitMultiplier = 4, kIncremental = 5, kUnitName = 6 };
inline constexpr std::int32_t kExplicitOrder = 3;

enum ProcessTree : std::uint32_t { kProcesses = 1, kThreads = 2 };
enum ProcessOfTree : std::uint32_t { kTreePid = 1, kTreeCommandLine = 3 };
enum ThreadOfTree : std::uint32_t { kTreeTid = 1, kTreeThreadName = 2, kTreeGroup = 3 };

enum Event : std::uint32_t {
  kTimeDelta = 1,
  kThreadTimeDelta = 2,
  kCategoryIid = 3,
  kAnnotations = 4,
  kTaskExecution = 5,
  kLegacyEvent = 6,
  kType = 9,
  kNameIid = 10,
  kTrackUuid = 11,
  kExtraValues = 12,
  kTimeAbsolute = 16,
  kThreadTimeAbsolute = 17,
  kLogMessage = 21,
  kCategoryText = 22,
  kNameText = 23,
  kValue = 30,
  kExtraTracks = 31,
  kSourceLocation = 33,
  kSourceLocationIid = 34,
  kOldFlowIds = 36,
  kOldEndingFlowIds = 42,
  kDoubleValue = 44,
  kExtraDoubleTracks = 45,
  kExtraDoubleValues = 46,
  kFlowIds = 47,
  kEndingFlowIds = 48,
  kCorrelationId = 52,
  kCorrelationText = 53,
};
enum EventType : std::int32_t { kNoType = 0, kBegin = 1, kEnd = 2, kInstant = 3, kSample = 4 };

enum LegacyEvent : std::uint32_t {
  kLegacyNameIid = 1,
  kPhase = 2,
  kDurationUs = 3,
  kUnscopedId = 6,
  kIdScope = 7,
  kBindId = 8,
  kLocalId = 10,
  kGlobalId = 11,
  kBindToEnclosing = 12,
  kFlowDirection = 13,
  kInstantScope = 14,
  kPidOverride = 18,
  kTidOverride = 19,
};

enum Annotation : std::uint32_t {
  kAnnotationNameIid = 1,
  kBool = 2,
  kUint = 3,
  kInt = 4,
  kDouble = 5,
  kString = 6,
  kPointer = 7,
  kNested = 8,
  kJson = 9,
  kName = 10,
  kEntries = 11,
  kElements = 12,
  kStringIid = 17,
};
enum NestedValue : std::uint32_t {
  kNestedType = 1,
  kDictKeys = 2,
  kDictValues = 3,
  kArrayValues = 4,
  kNestedInt = 5,
  kNestedDouble = 6,
  kNestedBool = 7,
  kNestedString = 8,
};

}  // namespace tv::perfetto
