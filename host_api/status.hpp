#pragma once

/// Between the exceptions inside the library and the statuses and messages of the C interface.

#include <cstdint>
#include <new>
#include <string>

#include "tandem/error.hpp"

namespace tandem::api {

/// Throws an error of status 104 that reads "<argument> is <value>; <allowed>".
[[noreturn]] void refuse(const char* argument, const std::string& value, const std::string& allowed);

/// Throws an error of status 101 for a handle of a kind ("generator").
[[noreturn]] void refuse_handle(const char* kind, const void* handle);

/// Throws an error of status 104 when a pointer argument is null.
void need(const char* argument, const void* pointer);

/// Throws an error of status 101 when the place for a new handle is null.
void need_place(const char* argument, const void* place);

std::string text_of(double value);
std::string text_of(uint64_t value);
std::string text_of(int64_t value);
std::string text_of(const void* value);

/// Keeps "<function>: <what>" as this thread's last failure. Allocates nothing.
void keep_message(const char* function, const char* what) noexcept;

/// The status for the exception in flight; its words become this thread's last failure.
tandemStatus_t status_of_exception(const char* function) noexcept;

/// Runs the body of a C function; what it throws becomes a status and a message.
template <class Body>
tandemStatus_t guarded(const char* function, Body&& body) noexcept {
    try {
        body();
        return TANDEM_STATUS_SUCCESS;
    } catch (...) {
        return status_of_exception(function);
    }
}

}  // namespace tandem::api
