// Runs a part of a test as a user without root's rights, so that permissions of files are checked even if root runs the tests: in
// many containers only root does.
#pragma once

#include <doctest/doctest.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <future>

namespace tv::test {

/// Runs `body` on a thread of its own that has given up all rights of root for good. Threads that it starts have none either; those
/// that existed before, such as the threads of test_pool(), keep theirs.
template <class Body>
void as_plain_user(const Body& body) {
  const auto on_thread = [&] {
    __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};  // 0: this thread
    const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
    REQUIRE(::syscall(SYS_capset, &head, none) == 0);
    body();
  };
  std::async(std::launch::async, on_thread).get();  // rethrows what a REQUIRE threw
}

}  // namespace tv::test
