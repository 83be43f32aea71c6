// Functions of a library that exists only on some machines. They are found at run time, so that the program starts without it.
#pragma once

#include <type_traits>

namespace tv {

class SharedLibrary {
 public:
  enum class Load { IfMissing, Never };  ///< Never: only a library that the process has already loaded

  /// The library stays loaded until the process ends.
  explicit SharedLibrary(const char* name, Load load = Load::IfMissing);

  explicit operator bool() const { return handle_ != nullptr; }

  /// Null if the library has no function of that name.
  template <class Function>
  void find(Function& function, const char* name) const {
    static_assert(std::is_pointer_v<Function>);
    function = reinterpret_cast<Function>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;

  void* handle_;
};

}  // namespace tv
