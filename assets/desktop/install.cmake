# What `cmake --install` puts where; included by app/CMakeLists.txt. Manual page, completions and icons the program makes of itself
# when it is installed, so `app/run` alone is enough before. Everything lies below the prefix and is found from the program's
# place: the folder can be moved.
include(GNUInstallDirs)
set(TV_ZSH_FOLDER ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Where zsh finds completions, below the prefix")
set(desktop ${PROJECT_SOURCE_DIR}/assets/desktop)
set(made ${CMAKE_CURRENT_BINARY_DIR}/packaging)

install(TARGETS traceview RUNTIME)
install(CODE "execute_process(COMMAND \"$<TARGET_FILE:traceview>\" packaging \"${made}\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${made}/man/traceview.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/completions/traceview.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME traceview)
install(FILES ${made}/completions/_traceview DESTINATION ${TV_ZSH_FOLDER})
install(FILES ${made}/completions/traceview.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${made}/icons/hicolor DESTINATION ${CMAKE_INSTALL_DATADIR}/icons)
install(FILES ${desktop}/traceview.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${desktop}/traceview.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${desktop}/traceview.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME traceview.xml)
# What "Open the sample" and --sample open (sample_path.cpp).
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/samples/rl_run DESTINATION ${CMAKE_INSTALL_DATADIR}/traceview/samples)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/recipes DESTINATION ${CMAKE_INSTALL_DATADIR}/traceview USE_SOURCE_PERMISSIONS)

# Desktops know endings of files from tables, which packages' own triggers bring up to date. DESTDIR: a package is being made.
install(CODE [==[
  if("$ENV{DESTDIR}" STREQUAL "")
    foreach(table update-mime-database:mime update-desktop-database:applications)
      string(REGEX MATCH "^[^:]+" program ${table})
      string(REGEX MATCH "[^:]+$" folder ${table})
      find_program(TV_UPDATE_${folder} ${program})
      if(TV_UPDATE_${folder})
        execute_process(COMMAND ${TV_UPDATE_${folder}} "${CMAKE_INSTALL_PREFIX}/share/${folder}" ERROR_QUIET)
      endif()
    endforeach()
  endif()
]==])

include(${desktop}/package.cmake)
