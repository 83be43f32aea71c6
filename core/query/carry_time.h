// Carries a time from one snapshot to another, in which sources may lie elsewhere. The time moves with the source that is at work
// then, or else with the nearest one; if runs overlap, with the first of them. Used to move marks and areas when the alignment of
// runs changes. Cost: O(sources), twice.
#pragma once

#include "core/store/trace/trace.h"

namespace tv {

/// Times are relative to the origins of their traces.
Ns carried_time(const Trace& from, const Trace& to, Ns t);

}  // namespace tv
