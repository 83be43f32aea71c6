// The text on a slice: as much of its name as there is room for, the most informative part first.
//
//   python_function   train/loop.py(12): fit        fit (train/loop.py:12)     fit (loop.py:12)       fit
//   kernels           void at::native::f<4, at::native::MulFunctor<float> >(int, ...)
//                                                   f<4, MulFunctor<float>>    f<MulFunctor<float>>   f, or MulFunctor where f
//                                                                              only applies it (kApplies in short_name.cpp)
//                     cutlass_80_tensorop_s1688gemm_64x64_tn                   s1688gemm_64x64_tn
//   Paddle's jobs     backward_3 of "backward"                                 3        Paddle
//   steps             iteration 12                                             12
//   others            aten::linear                                             linear
//
// The same name always has the same forms, whatever is next to it. Two names may share a form: kernels that differ only in return
// type, namespaces or parameters share even the first. Made once per name and cached (ShortNames): O(length of the name).
#pragma once

#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/draft/label_table.h"

namespace tv {

/// From the whole name to the shortest form; equal ones are adjacent.
using NameForms = std::array<std::string, 3>;

NameForms name_forms(std::string_view category, std::string_view name);

/// The longest form that fits, else the shortest one, which the caller must cut.
template <class Fits>
std::string_view form_that_fits(const NameForms& forms, const Fits& fits) {
  for (const std::string& form : forms) {
    if (fits(form)) return form;
  }
  return forms.back();
}

/// The forms of a trace's labels, each made on first use, so that a frame that shows the same names allocates nothing.
class ShortNames {
 public:
  const NameForms& of(const LabelTable& labels, LabelId label);
  /// Call when the labels are those of another trace.
  void clear() { at_.clear(), forms_.clear(); }

 private:
  std::vector<std::uint32_t> at_;  // by label: index of its forms; 0: not made yet
  std::deque<NameForms> forms_;
};

/// Cuts a name to this many letters: keeps the first ones, those around a byte and, if there is room, the last ones.
std::string cut_around(std::string_view name, std::size_t around, std::size_t most_letters);
/// Cuts names to this many letters, in the middle. If two would then be equal, they are cut around the part that differs; if even
/// these cuts are equal, the names stay whole.
std::vector<std::string> distinct_cuts(const std::vector<std::string>& names, std::size_t most_letters);

}  // namespace tv
