// A value of one of many types. For a std::variant, the compiler generates copies, moves and tables for all types in every file
// that names the variant; with 130 types that took 3 s per file, and a third of a release build. AnyOf keeps the value in a
// std::any, so a file pays only for the types that it uses. Cost: an allocation for values larger than a pointer; visit() compares
// types one after the other.
#pragma once

#include <any>
#include <concepts>
#include <typeindex>
#include <utility>

namespace tv {

template <class... Kinds>
class AnyOf {
 public:
  template <class T>
    requires(std::same_as<T, Kinds> || ...)
  AnyOf(T value) : value_(std::move(value)) {}

  /// Null if the value has another type.
  template <class T>
    requires(std::same_as<T, Kinds> || ...)
  const T* get_if() const {
    return std::any_cast<T>(&value_);
  }
  template <class T>
  bool is() const {
    return get_if<T>() != nullptr;
  }
  std::type_index kind() const { return value_.type(); }

  /// Calls `f` with the value in its own type; compiles only if `f` takes all types.
  template <class F>
  void visit(F&& f) const {
    (visited_as<Kinds>(f) || ...);
  }
  /// Calls `f` once for each type, as its template argument: f.operator()<T>().
  template <class F>
  static void each_kind(F&& f) {
    (f.template operator()<Kinds>(), ...);
  }

 private:
  template <class T, class F>
  bool visited_as(F& f) const {
    const T* const value = get_if<T>();
    if (value) f(*value);
    return value != nullptr;
  }

  std::any value_;
};

/// An AnyOf of all types except the first, so that a macro can generate the list of types as ", A, B".
template <class First, class... Kinds>
struct WithoutFirst {
  using Type = AnyOf<Kinds...>;
};

/// Combines lambdas into one visitor, which calls the lambda that takes the value's type: value.visit(Overloaded{...}).
template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace tv
