# What the library's binary looks like, what `cmake --install` puts where, and the package that find_package(tandem) reads.

include(CMakePackageConfigHelpers)

set(tandem_targets tandem_core tandem_device tandem)
set_target_properties(tandem PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(TARGET tandem_kernels AND NOT BUILD_SHARED_LIBS)
    # A static libtandem names the kernels in its link interface.
    list(APPEND tandem_targets tandem_kernels)
endif()
install(TARGETS ${tandem_targets} EXPORT tandemTargets)
if(TARGET tandem_cli)
    if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" AND NOT IS_ABSOLUTE "${CMAKE_INSTALL_BINDIR}")
        file(RELATIVE_PATH tandem_bin_to_lib "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}" "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}")
        set_target_properties(tandem_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${tandem_bin_to_lib}")
    endif()
    install(TARGETS tandem_cli)
endif()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tandem" "${PROJECT_SOURCE_DIR}/device_api/tandem"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.cuh")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(tandem_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tandem")
install(EXPORT tandemTargets NAMESPACE tandem:: DESTINATION "${tandem_package_dir}")
if(TARGET hwy::hwy)
    set(tandem_uses_hwy ON)
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/tandemConfig.cmake.in" "${PROJECT_BINARY_DIR}/tandemConfig.cmake"
                              INSTALL_DESTINATION "${tandem_package_dir}")
# Before 1.0 a minor version may change interfaces.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tandemConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tandemConfig.cmake" "${PROJECT_BINARY_DIR}/tandemConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/TandemImport.cmake" "${PROJECT_SOURCE_DIR}/cmake/TandemKokkos.cmake"
        DESTINATION "${tandem_package_dir}")
