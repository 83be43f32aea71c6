// The boundary of a job in the background. Exceptions become errors there: the job fails, and the window goes on.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "core/base/result.h"

namespace tv {

/// Calls work(), which returns a Result. `path`: the file that the job is about. `remedy`: what needs less memory.
template <class Work>
auto at_job_boundary(const std::string& path, const std::string& remedy, Work work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Error{"memory ran out", path, {}, remedy, true};
  } catch (const std::exception& error) {
    return Error{error.what(), path, {}, {}, true};
  }
}

}  // namespace tv
