#include "core/store/draft/lane_spec.h"
#include "core/store/draft/source_info.h"

namespace tv {

std::string_view name(LaneKind kind) {
  switch (kind) {
    case LaneKind::Group: return "group";
    case LaneKind::Thread: return "thread";
    case LaneKind::Stream: return "stream";
    case LaneKind::Annotation: return "annotation";
    case LaneKind::Async: return "async";
    case LaneKind::Phases: return "phases";
    case LaneKind::Requests: return "requests";
    case LaneKind::Counter: return "counter";
  }
  return "";
}

std::string_view name(SourceState state) {
  switch (state) {
    case SourceState::Waiting: return "waiting";
    case SourceState::Reading: return "reading";
    case SourceState::Ready: return "ready";
    case SourceState::Part: return "part";
    case SourceState::LeftOut: return "left-out";
    case SourceState::NotReadYet: return "not-read-yet";
    case SourceState::Rejected: return "rejected";
    case SourceState::Cancelled: return "cancelled";
  }
  return "";
}

}  // namespace tv
