# The Debian package, as app/package has CPack make it.
set(CPACK_PACKAGE_NAME traceview)
set(CPACK_PACKAGE_VENDOR "the traceview project")
set(CPACK_PACKAGE_CONTACT "the traceview project <traceview@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "timelines of training runs: PyTorch traces and rollout logs")
set(CPACK_PACKAGE_DESCRIPTION "A timeline viewer for people who train large models. It shows every worker,
thread and GPU stream on one clock, zooms from a whole run down to one kernel,
and says what stands out. It reads PyTorch and Chrome traces, Nsight Systems
and Perfetto traces, rollout logs of verl and pipeline logs of Paddle. On the
command line it answers without a display.")
set(CPACK_GENERATOR DEB)
set(CPACK_SET_DESTDIR ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened at run time, where dpkg-shlibdeps cannot see it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libegl1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, libegl-mesa0, shared-mime-info, hicolor-icon-theme, fonts-dejavu-core, libdbus-1-3, zenity | kdialog | xdg-desktop-portal")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "fonts-wqy-microhei, xclip | wl-clipboard")
# What app/package knows: whose code is in it, and libraries that every release of Debian calls otherwise, which come along.
set(TV_COPYRIGHT "" CACHE FILEPATH "The copyright file of a package")
set(TV_PRIVATE_LIBRARIES "" CACHE STRING "Shared libraries of a package's own")
if(TV_COPYRIGHT)
  install(FILES ${TV_COPYRIGHT} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/traceview RENAME copyright)
endif()
if(TV_PRIVATE_LIBRARIES)
  install(FILES ${TV_PRIVATE_LIBRARIES} DESTINATION lib/traceview)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR}/private)
endif()
include(CPack)
