# Takes Direct3D 12 from the Agility SDK instead of from Windows itself. DMLCTS_AGILITY_SDK is the
# folder of an unpacked NuGet package Microsoft.Direct3D.D3D12; nothing here downloads it. A program
# requests the SDK by two exported symbols and finds its DLLs, and the debug layer, in D3D12/ beside
# itself.
function(dmlcts_agility_sdk program)
  set(nuspec ${DMLCTS_AGILITY_SDK}/Microsoft.Direct3D.D3D12.nuspec)
  set(dlls ${DMLCTS_AGILITY_SDK}/build/native/bin/x64)
  foreach(file ${nuspec} ${dlls}/D3D12Core.dll ${dlls}/d3d12SDKLayers.dll)
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "DMLCTS_AGILITY_SDK: no ${file}; it must be the folder of an unpacked "
                          "NuGet package Microsoft.Direct3D.D3D12")
    endif()
  endforeach()
  # Version 1.614.1 of the package is version 614 of the SDK.
  file(STRINGS ${nuspec} line REGEX "<version>[0-9]+\\.[0-9]+\\.")
  if(NOT line MATCHES "<version>[0-9]+\\.([0-9]+)\\.")
    message(FATAL_ERROR "DMLCTS_AGILITY_SDK: ${nuspec} says no version")
  endif()
  message(STATUS "Direct3D 12 from Agility SDK ${CMAKE_MATCH_1}")
  target_sources(${program} PRIVATE ${PROJECT_SOURCE_DIR}/gpu/d3d12/device/agility_sdk_windows.cpp)
  target_compile_definitions(${program} PRIVATE DMLCTS_AGILITY_SDK_VERSION=${CMAKE_MATCH_1})
  add_custom_command(TARGET ${program} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory $<TARGET_FILE_DIR:${program}>/D3D12
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${dlls}/D3D12Core.dll ${dlls}/d3d12SDKLayers.dll
            $<TARGET_FILE_DIR:${program}>/D3D12
    VERBATIM)
endfunction()
