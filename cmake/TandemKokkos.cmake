# Kokkos::kokkos and tandem::kokkos, where Kokkos is found: a package that Kokkos_ROOT or CMAKE_PREFIX_PATH leads to; Debian's
# libtrilinos-kokkos-dev, whose package file names a folder that does not exist, from its headers and library; any other package of the
# system. Read by the build and, installed, by find_package(tandem COMPONENTS kokkos).

include("${CMAKE_CURRENT_LIST_DIR}/TandemImport.cmake")

if(NOT TARGET Kokkos::kokkos)
    find_package(Kokkos CONFIG QUIET NO_SYSTEM_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH)
endif()
if(NOT TARGET Kokkos::kokkos)
    tandem_import(Kokkos::kokkos HEADER trilinos/Kokkos_Core.hpp LIBRARY trilinos_kokkoscore)
    if(TARGET Kokkos::kokkos)
        target_include_directories(Kokkos::kokkos SYSTEM INTERFACE "${TANDEM_Kokkos__kokkos_INCLUDE}/trilinos")
        # DynRankView and its like.
        find_library(TANDEM_KOKKOS_CONTAINERS trilinos_kokkoscontainers)
        mark_as_advanced(TANDEM_KOKKOS_CONTAINERS)
        if(TANDEM_KOKKOS_CONTAINERS)
            target_link_libraries(Kokkos::kokkos INTERFACE "${TANDEM_KOKKOS_CONTAINERS}")
        endif()
    endif()
endif()
if(NOT TARGET Kokkos::kokkos)
    find_package(Kokkos CONFIG QUIET)
endif()

if(TARGET Kokkos::kokkos AND NOT TARGET tandem::kokkos)
    add_library(tandem_kokkos INTERFACE)
    target_link_libraries(tandem_kokkos INTERFACE tandem::core Kokkos::kokkos)
    add_library(tandem::kokkos ALIAS tandem_kokkos)
endif()
