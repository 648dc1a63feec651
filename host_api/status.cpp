#include "host_api/status.hpp"

#include <cstdio>

namespace tandem::api {
namespace {

// No destructor, so that it can be read while a thread or the process ends.
thread_local char last_message[512] = "";

struct StatusName {
    tandemStatus_t status;
    const char* name;
};

constexpr StatusName STATUS_NAMES[] = {
    {TANDEM_STATUS_SUCCESS, "TANDEM_STATUS_SUCCESS"},
    {TANDEM_STATUS_VERSION_MISMATCH, "TANDEM_STATUS_VERSION_MISMATCH"},
    {TANDEM_STATUS_NOT_INITIALIZED, "TANDEM_STATUS_NOT_INITIALIZED"},
    {TANDEM_STATUS_ALLOCATION_FAILED, "TANDEM_STATUS_ALLOCATION_FAILED"},
    {TANDEM_STATUS_TYPE_ERROR, "TANDEM_STATUS_TYPE_ERROR"},
    {TANDEM_STATUS_OUT_OF_RANGE, "TANDEM_STATUS_OUT_OF_RANGE"},
    {TANDEM_STATUS_LENGTH_NOT_MULTIPLE, "TANDEM_STATUS_LENGTH_NOT_MULTIPLE"},
    {TANDEM_STATUS_DOUBLE_PRECISION_REQUIRED, "TANDEM_STATUS_DOUBLE_PRECISION_REQUIRED"},
    {TANDEM_STATUS_LAUNCH_FAILURE, "TANDEM_STATUS_LAUNCH_FAILURE"},
    {TANDEM_STATUS_PREEXISTING_FAILURE, "TANDEM_STATUS_PREEXISTING_FAILURE"},
    {TANDEM_STATUS_INITIALIZATION_FAILED, "TANDEM_STATUS_INITIALIZATION_FAILED"},
    {TANDEM_STATUS_ARCH_MISMATCH, "TANDEM_STATUS_ARCH_MISMATCH"},
    {TANDEM_STATUS_INTERNAL_ERROR, "TANDEM_STATUS_INTERNAL_ERROR"},
};

template <class Value>
std::string formatted(const char* format, Value value) {
    char text[64];
    std::snprintf(text, sizeof(text), format, value);
    return text;
}

}  // namespace

void refuse(const char* argument, const std::string& value, const std::string& allowed) {
    throw error(TANDEM_STATUS_OUT_OF_RANGE, std::string(argument) + " is " + value + "; " + allowed);
}

void refuse_handle(const char* kind, const void* handle) {
    const std::string about = handle == nullptr ? std::string("null") : text_of(handle) + ", which is no live one";
    throw error(TANDEM_STATUS_NOT_INITIALIZED,
                std::string(kind) + " is " + about + "; a handle that was created and not yet destroyed is needed");
}

void need(const char* argument, const void* pointer) {
    if (pointer == nullptr) refuse(argument, "null", "it must point to memory of the caller's");
}

void need_place(const char* argument, const void* place) {
    if (place != nullptr) return;
    throw error(TANDEM_STATUS_NOT_INITIALIZED, std::string(argument) + " is null; it must point to a place for the new handle");
}

std::string text_of(double value) { return formatted("%.17g", value); }
std::string text_of(uint64_t value) { return std::to_string(value); }
std::string text_of(int64_t value) { return std::to_string(value); }
std::string text_of(const void* value) { return value == nullptr ? "null" : formatted("%p", value); }

void keep_message(const char* function, const char* what) noexcept {
    std::snprintf(last_message, sizeof(last_message), "%s: %s", function, what);
}

tandemStatus_t status_of_exception(const char* function) noexcept {
    try {
        throw;
    } catch (const error& e) {
        keep_message(function, e.what());
        return e.status();
    } catch (const std::bad_alloc&) {
        keep_message(function, "host memory is short");
        return TANDEM_STATUS_ALLOCATION_FAILED;
    } catch (const std::exception& e) {
        keep_message(function, e.what());
    } catch (...) {
        keep_message(function, "an unknown failure inside the library");
    }
    return TANDEM_STATUS_INTERNAL_ERROR;
}

}  // namespace tandem::api

extern "C" const char* tandemGetLastErrorMessage(void) { return tandem::api::last_message; }

extern "C" const char* tandemGetStatusString(tandemStatus_t status) {
    for (const auto& entry : tandem::api::STATUS_NAMES) {
        if (entry.status == status) return entry.name;
    }
    return "not a status of Tandem";
}
