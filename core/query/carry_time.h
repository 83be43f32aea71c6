// A time of one snapshot in another one, in which sources may lie elsewhere: it goes with the source that is at work then,
// or nearest; with the first of them where runs lie over each other. For marks and areas when runs are aligned in another way. Cost: O(sources), twice.
#pragma once

#include "core/store/trace/trace.h"

namespace tv {

/// Both relative to the origins of their traces.
Ns carried_time(const Trace& from, const Trace& to, Ns t);

}  // namespace tv
