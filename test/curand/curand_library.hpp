#pragma once

/// A libcurand.so.10 loaded from a file, kept apart from every other one in the process: the drop-in, or NVIDIA's.

#include <dlfcn.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace tandem::test {

/// The 27 functions, with int for each enumeration, as they are called.
struct CurandLibrary {
    using Generator = struct curandGenerator_st*;
    using Distribution = struct curandDiscreteDistribution_st*;

    /// Throws std::runtime_error when the file or a function is missing. Never unloaded.
    explicit CurandLibrary(const char* path) : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
        if (handle_ == nullptr) throw std::runtime_error(dlerror());
        find(CreateGenerator, "CreateGenerator");
        find(CreateGeneratorHost, "CreateGeneratorHost");
        find(DestroyGenerator, "DestroyGenerator");
        find(GetVersion, "GetVersion");
        find(GetProperty, "GetProperty");
        find(SetStream, "SetStream");
        find(SetPseudoRandomGeneratorSeed, "SetPseudoRandomGeneratorSeed");
        find(SetGeneratorOffset, "SetGeneratorOffset");
        find(SetGeneratorOrdering, "SetGeneratorOrdering");
        find(SetQuasiRandomGeneratorDimensions, "SetQuasiRandomGeneratorDimensions");
        find(Generate, "Generate");
        find(GenerateLongLong, "GenerateLongLong");
        find(GenerateUniform, "GenerateUniform");
        find(GenerateUniformDouble, "GenerateUniformDouble");
        find(GenerateNormal, "GenerateNormal");
        find(GenerateNormalDouble, "GenerateNormalDouble");
        find(GenerateLogNormal, "GenerateLogNormal");
        find(GenerateLogNormalDouble, "GenerateLogNormalDouble");
        find(GeneratePoisson, "GeneratePoisson");
        find(GeneratePoissonMethod, "GeneratePoissonMethod");
        find(GenerateSeeds, "GenerateSeeds");
        find(CreatePoissonDistribution, "CreatePoissonDistribution");
        find(DestroyDistribution, "DestroyDistribution");
        find(GetDirectionVectors32, "GetDirectionVectors32");
        find(GetDirectionVectors64, "GetDirectionVectors64");
        find(GetScrambleConstants32, "GetScrambleConstants32");
        find(GetScrambleConstants64, "GetScrambleConstants64");
    }

    int (*CreateGenerator)(Generator*, int);
    int (*CreateGeneratorHost)(Generator*, int);
    int (*DestroyGenerator)(Generator);
    int (*GetVersion)(int*);
    int (*GetProperty)(int, int*);
    int (*SetStream)(Generator, void*);
    int (*SetPseudoRandomGeneratorSeed)(Generator, unsigned long long);
    int (*SetGeneratorOffset)(Generator, unsigned long long);
    int (*SetGeneratorOrdering)(Generator, int);
    int (*SetQuasiRandomGeneratorDimensions)(Generator, unsigned);
    int (*Generate)(Generator, unsigned*, std::size_t);
    int (*GenerateLongLong)(Generator, unsigned long long*, std::size_t);
    int (*GenerateUniform)(Generator, float*, std::size_t);
    int (*GenerateUniformDouble)(Generator, double*, std::size_t);
    int (*GenerateNormal)(Generator, float*, std::size_t, float, float);
    int (*GenerateNormalDouble)(Generator, double*, std::size_t, double, double);
    int (*GenerateLogNormal)(Generator, float*, std::size_t, float, float);
    int (*GenerateLogNormalDouble)(Generator, double*, std::size_t, double, double);
    int (*GeneratePoisson)(Generator, unsigned*, std::size_t, double);
    int (*GeneratePoissonMethod)(Generator, unsigned*, std::size_t, double, int);
    int (*GenerateSeeds)(Generator);
    int (*CreatePoissonDistribution)(double, Distribution*);
    int (*DestroyDistribution)(Distribution);
    int (*GetDirectionVectors32)(unsigned (**)[32], int);
    int (*GetDirectionVectors64)(unsigned long long (**)[64], int);
    int (*GetScrambleConstants32)(unsigned**);
    int (*GetScrambleConstants64)(unsigned long long**);

  private:
    template <class Function>
    void find(Function& function, const std::string& name) {
        void* address = dlsym(handle_, ("curand" + name).c_str());
        if (address == nullptr) throw std::runtime_error("curand" + name + " is missing");
        function = reinterpret_cast<Function>(address);
    }

    void* handle_;
};

}  // namespace tandem::test
