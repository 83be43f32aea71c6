#include "core/session/files/load_options.h"

namespace tv {

ReadSettings given_or_saved(const LoadOptions& given, ReadSettings saved) {
  if (!given.choice.everything()) saved.choice = given.choice;
  if (!given.clocks.empty()) saved.clocks = given.clocks;
  if (given.place_by == PlaceBy::Recorded) saved.place_by = PlaceBy::Recorded;
  if (given.align_given) saved.align = given.align;
  return saved;
}

}  // namespace tv
