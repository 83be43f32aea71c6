// How long a mangled C++ name becomes when it is demangled. A mangled name refers to its earlier parts, also to parts that refer to
// parts, so 400 bytes can stand for 2^32: __cxa_demangle would write all of them. This walk writes nothing. It adds up lengths,
// where each part counts as often as it would be written.
//
//   _Z1fI1PIiiE S0_IS1_S1_E S0_IS2_S2_E ...      f<P<int, int>, P<P<int, int>, P<int, int> >, ...
//
// It knows types, functions, templates, lambdas, literals and the usual expressions. Other names are rare among kernels; for these
// it counts the references to earlier parts: each at most doubles the text, so few of them are harmless.
//
// Invariant: never less than the length of the text, nor than the number of parts that a demangler visits. Cost: a walk over at most
// 2 KiB; longer names are not demangled.
// Source: Itanium C++ ABI, "Name mangling"; libiberty's cp-demangle.c, whose order of substitutions it follows.
#pragma once

#include <string_view>

namespace tv {

/// An upper bound, much above the true length of long names; infinity if there is none. `mangled` begins with _Z.
double demangled_length(std::string_view mangled);

}  // namespace tv
