// The colour of a finding's level, for its sentence in the status bar and its place on the timeline.
#pragma once

#include "core/analysis/findings/findings.h"
#include "ui/widgets/theme.h"

namespace tv {

inline Rgba color_of(const Theme& theme, FindingLevel level) {
  return level == FindingLevel::Costly ? theme.loss : level == FindingLevel::Notable ? theme.warning : theme.text_dim;
}

}  // namespace tv
