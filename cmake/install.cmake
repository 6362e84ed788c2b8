# Installs programs, data, pages and manual pages, for `cmake --install` and for packages. A program
# finds its worker and the library for --in-process beside itself, so the three share a folder. On
# Windows it is the package's own, elsewhere lib/dmlcts, with links in bin.
include(GNUInstallDirs)
if(WIN32)
  set(programs .)
  set(data .)
  set(docs doc)
else()
  set(programs lib/dmlcts)
  set(data ${CMAKE_INSTALL_DATADIR}/dmlcts)
  set(docs ${CMAKE_INSTALL_DOCDIR})
endif()

add_custom_target(installed COMMENT "All that is installed")
set(commands dmlcts)
if(TARGET dmlcts-worker)
  list(APPEND commands dmlcts-worker)
  install(TARGETS dmlcts-in-process LIBRARY DESTINATION ${programs})
endif()
add_dependencies(installed ${commands})
install(TARGETS ${commands} RUNTIME DESTINATION ${programs})
if(TARGET dmlcts-capture)
  add_dependencies(installed dmlcts-capture)
  install(TARGETS dmlcts-capture LIBRARY DESTINATION capture)
endif()
if(WIN32 AND DMLCTS_AGILITY_SDK)
  install(DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/D3D12 DESTINATION ${programs})
endif()
if(NOT WIN32)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/links)
  file(RELATIVE_PATH up /${CMAKE_INSTALL_BINDIR} /${programs})
  foreach(command ${commands})
    file(CREATE_LINK ${up}/${command} ${PROJECT_BINARY_DIR}/links/${command} SYMBOLIC)
    install(FILES ${PROJECT_BINARY_DIR}/links/${command} DESTINATION ${CMAKE_INSTALL_BINDIR})
  endforeach()
endif()
install(DIRECTORY conformance/expectations DESTINATION ${data})
install(DIRECTORY reports/schema DESTINATION ${data})

# The pages keep the folders that their links to each other expect.
install(FILES CHANGELOG.md CONTRIBUTING.md LICENSE README.md DESTINATION ${docs})
install(FILES reports/findings.md reports/survey.md DESTINATION ${docs}/reports)
install(DIRECTORY reports/survey DESTINATION ${docs}/reports)
install(FILES reference/sources.md DESTINATION ${docs}/reference)
install(DIRECTORY docs DESTINATION ${docs})
foreach(folder bench conformance conformance/mutants conformance/onnxruntime fuzz gpu/directml
               gpu/shaders gpu/worker gpu/wine reports)
  install(FILES ${folder}/README.md DESTINATION ${docs}/${folder})
endforeach()

# Manual pages are made by the programs themselves.
if(WIN32 OR CMAKE_CROSSCOMPILING)
  return()
endif()
find_program(DMLCTS_HELP2MAN help2man DOC "Makes the manual pages; without it there are none")
if(DMLCTS_HELP2MAN)
  set(man ${PROJECT_BINARY_DIR}/man)
  file(MAKE_DIRECTORY ${man})
  # dmlcts_manual_page(PROGRAM NAME OPTION): with OPTION, PROGRAM prints its whole help.
  function(dmlcts_manual_page program name option)
    add_custom_command(
      OUTPUT ${man}/${program}.1
      COMMAND ${CMAKE_COMMAND} -E env COLUMNS=80
              ${DMLCTS_HELP2MAN} --no-info --name=${name} --version-string=${PROJECT_VERSION}
              --help-option=${option} --output=${man}/${program}.1 $<TARGET_FILE:${program}>
      DEPENDS ${program}
      VERBATIM)
    install(FILES ${man}/${program}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    add_custom_target(${program}-man ALL DEPENDS ${man}/${program}.1)
    add_dependencies(installed ${program}-man)
  endfunction()
  dmlcts_manual_page(dmlcts "conformance suite for operators of DirectML"
                     --help-all)
  if(TARGET dmlcts-worker)
    dmlcts_manual_page(dmlcts-worker "hosts an implementation that dmlcts tests"
                       --help)
  endif()
else()
  message(STATUS "no help2man: no manual pages")
endif()
