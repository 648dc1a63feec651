// Prints whose library answers: "tandem" or "nvidia". whose [NAME]: opens the library NAME, a soname or a path; without NAME it
// calls the functions that it is linked with, or finds them in the process when it is linked with none.

#include <dlfcn.h>

#include <cstdio>

extern "C" {
#if WHOSE_LINKED
int curandCreateGeneratorHost(void** generator, int type);
int curandGenerateLongLong(void* generator, unsigned long long* out, size_t n);
int curandDestroyGenerator(void* generator);
#endif
}

namespace {

using Create = int (*)(void**, int);
using Fill = int (*)(void*, unsigned long long*, size_t);
using Destroy = int (*)(void*);

// NVIDIA's library refuses 64-bit integers to this type.
int say(Create create, Fill fill, Destroy destroy) {
    void* generator = nullptr;
    unsigned long long out[2];
    if (create == nullptr || fill == nullptr || destroy == nullptr || create(&generator, 161) != 0) return 1;
    std::puts(fill(generator, out, 2) == 0 ? "tandem" : "nvidia");
    return destroy(generator);
}

int say_of(void* library) {
    return say(reinterpret_cast<Create>(dlsym(library, "curandCreateGeneratorHost")),
               reinterpret_cast<Fill>(dlsym(library, "curandGenerateLongLong")),
               reinterpret_cast<Destroy>(dlsym(library, "curandDestroyGenerator")));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) {
        void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) std::fprintf(stderr, "%s\n", dlerror());
        return library == nullptr ? 1 : say_of(library);
    }
#if WHOSE_LINKED
    return say(curandCreateGeneratorHost, curandGenerateLongLong, curandDestroyGenerator);
#else
    return say_of(RTLD_DEFAULT);
#endif
}
