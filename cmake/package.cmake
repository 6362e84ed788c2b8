# Packages the installed files with `cpack --config build…/CPackConfig.cmake`: a .zip for Windows, a
# .deb for Debian. The .deb depends on the libraries of the release it was built on.
set(CPACK_PACKAGE_CONTACT "the dmlcts authors <dmlcts@dmlcts.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "reference and conformance suite for operators of DirectML")
set(CPACK_PACKAGE_DESCRIPTION "A bit-exact reference of GATHER_ND, GATHER_ND1 and NONZERO_COORDINATES, and a
suite that compares implementations with it: DirectML, a Direct3D 12 driver, or this package's own
kernels on any Vulkan driver.")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
if(WIN32)
  set(CPACK_GENERATOR ZIP)
else()
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mesa-vulkan-drivers | vulkan-icd")
endif()
include(CPack)
