#pragma once

/// Counts the calls of the CUDA runtime that allocate, free, wait or launch a kernel. The linker leads those of every object of a
/// program here
/// (--wrap, see CMakeLists.txt), so the program must link the library's objects and not the shared library.

namespace tandem::test {

struct RuntimeCalls {
    int allocations = 0;  ///< of device and of pinned memory, in streams or not
    int frees = 0;
    int events_made = 0;
    int events_destroyed = 0;
    int streams_made = 0;
    int streams_destroyed = 0;
    int launches = 0;
    int waits = 0;  ///< for a device, a stream or an event, copies and sets that return when they are done among them

    bool operator==(const RuntimeCalls& other) const {
        return allocations == other.allocations && frees == other.frees && events_made == other.events_made &&
               events_destroyed == other.events_destroyed && streams_made == other.streams_made &&
               streams_destroyed == other.streams_destroyed && launches == other.launches && waits == other.waits;
    }
};

/// The calls since the start of the program.
RuntimeCalls runtime_calls();

}  // namespace tandem::test
