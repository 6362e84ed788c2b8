# Gives a cross build the host's header-only libraries. The host's include folder itself must stay
# off the compiler's path, because its other headers are for another platform. So the build tree
# gets a folder of links to the libraries in use.
set(DMLCTS_HOST_INCLUDE /usr/include CACHE PATH "where the host keeps its header-only libraries")
set(dmlcts_host_headers ${PROJECT_BINARY_DIR}/host-headers)
file(MAKE_DIRECTORY ${dmlcts_host_headers})
foreach(folder directx dxguids fmt CLI nlohmann)
  if(NOT EXISTS ${DMLCTS_HOST_INCLUDE}/${folder})
    message(FATAL_ERROR "no ${folder}/ in ${DMLCTS_HOST_INCLUDE}: install directx-headers-dev, "
                        "libfmt-dev, libcli11-dev and nlohmann-json3-dev, or set DMLCTS_HOST_INCLUDE")
  endif()
  file(CREATE_LINK ${DMLCTS_HOST_INCLUDE}/${folder} ${dmlcts_host_headers}/${folder} SYMBOLIC)
endforeach()

include_directories(SYSTEM ${dmlcts_host_headers})
foreach(library fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11)
  add_library(${library} INTERFACE IMPORTED GLOBAL)
endforeach()
set_target_properties(fmt::fmt PROPERTIES INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY)
