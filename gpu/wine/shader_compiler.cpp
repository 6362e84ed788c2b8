// Compiles every shader of a manifest with one of Microsoft's compilers to NAME.dxbc or NAME.dxil.
// A Windows program, run under Wine by ./compiler; not part of any other build.
//
//   compiler <dll> <manifest.txt> <output folder> [<shader>…]
//
// The DLL is d3dcompiler_47.dll (FXC), which makes DXBC of shader model 5.1, or dxcompiler.dll
// (DXC), which makes signed DXIL of shader model 6.0. Those shaders only, or all. Run in the folder
// of the sources. Debug, reflection and test data are stripped, so that the bytes depend on the
// source and the compiler alone.

#include <windows.h>

#include <d3dcompiler.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

struct Variant {
  std::string name;  // "mark_4"
  std::string file;
  std::string entry;
  std::vector<std::pair<std::string, std::string>> defines;
};

bool readFile(const std::string& path, std::string& text) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  text.assign(std::istreambuf_iterator<char>(in), {});
  return true;
}

// Finds includes beside the sources, in the current folder.
class Includes : public ID3DInclude {
 public:
  virtual ~Includes() = default;
  HRESULT STDMETHODCALLTYPE Open(D3D_INCLUDE_TYPE, LPCSTR name, LPCVOID, LPCVOID* data,
                                 UINT* bytes) override {
    std::string text;
    if (!readFile(name, text)) return E_FAIL;
    char* copy = new char[text.size() + 1];
    std::memcpy(copy, text.data(), text.size());
    *data = copy;
    *bytes = static_cast<UINT>(text.size());
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE Close(LPCVOID data) override {
    delete[] static_cast<const char*>(data);
    return S_OK;
  }
};

bool readManifest(const std::string& path, std::vector<Variant>& variants) {
  std::ifstream in(path);
  if (!in) return false;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Variant variant;
    if (!(words >> variant.name) || variant.name[0] == '#') continue;
    if (!(words >> variant.file >> variant.entry)) return false;
    for (std::string define; words >> define;) {
      const size_t equals = define.find('=');
      if (equals == std::string::npos) return false;
      variant.defines.emplace_back(define.substr(0, equals), define.substr(equals + 1));
    }
    variants.push_back(variant);
  }
  return true;
}

std::string text(ID3DBlob* blob) {
  return blob ? std::string(static_cast<const char*>(blob->GetBufferPointer()),
                            blob->GetBufferSize())
              : std::string();
}

// DXC takes wide strings; a manifest has ASCII alone.
std::wstring wide(const std::string& text) { return {text.begin(), text.end()}; }

// One of the compilers. The kinds of bytecode are called as their files end.
class Compiler {
 public:
  virtual ~Compiler() = default;
  virtual std::string kind() const = 0;
  // The bytecode; empty where it failed. What the compiler says goes to stderr.
  virtual Bytes compile(const Variant& variant, const std::string& source) = 0;

 protected:
  static Bytes failed(const Variant& variant, HRESULT result) {
    std::fprintf(stderr, "%s: failed, 0x%08lx\n", variant.name.c_str(),
                 static_cast<unsigned long>(result));
    return {};
  }
};

template <class Function>
Function functionOf(HMODULE library, const char* name) {
  return reinterpret_cast<Function>(reinterpret_cast<void*>(GetProcAddress(library, name)));
}

class Fxc final : public Compiler {
 public:
  Fxc(decltype(&D3DCompile) compile, decltype(&D3DStripShader) strip)
      : compile_(compile), strip_(strip) {}

  std::string kind() const override { return "dxbc"; }

  Bytes compile(const Variant& variant, const std::string& source) override {
    std::vector<D3D_SHADER_MACRO> macros;
    for (const auto& [name, value] : variant.defines)
      macros.push_back({name.c_str(), value.c_str()});
    macros.push_back({nullptr, nullptr});

    Includes includes;
    ID3DBlob* code = nullptr;
    ID3DBlob* messages = nullptr;
    HRESULT result = compile_(source.data(), source.size(), variant.file.c_str(), macros.data(),
                              &includes, variant.entry.c_str(), "cs_5_1",
                              D3DCOMPILE_OPTIMIZATION_LEVEL3 | D3DCOMPILE_WARNINGS_ARE_ERRORS, 0,
                              &code, &messages);
    if (messages) std::fprintf(stderr, "%s: %s\n", variant.name.c_str(), text(messages).c_str());
    ID3DBlob* stripped = nullptr;
    if (SUCCEEDED(result)) {
      result = strip_(code->GetBufferPointer(), code->GetBufferSize(),
                      D3DCOMPILER_STRIP_REFLECTION_DATA | D3DCOMPILER_STRIP_DEBUG_INFO |
                          D3DCOMPILER_STRIP_TEST_BLOBS,
                      &stripped);
    }
    if (FAILED(result)) return failed(variant, result);
    const std::string bytes = text(stripped);
    stripped->Release();
    code->Release();
    return {bytes.begin(), bytes.end()};
  }

 private:
  decltype(&D3DCompile) compile_;
  decltype(&D3DStripShader) strip_;
};

// The little that is needed of dxcapi.h, which MinGW lacks. A blob of DXC's is an ID3DBlob.
struct DxcBuffer {
  const void* data;
  SIZE_T size;
  UINT encoding;
};
struct DxcResult : IUnknown {
  virtual HRESULT STDMETHODCALLTYPE GetStatus(HRESULT* status) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetResult(ID3DBlob** code) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetErrorBuffer(ID3DBlob** messages) = 0;
};
struct DxcCompiler3 : IUnknown {
  virtual HRESULT STDMETHODCALLTYPE Compile(const DxcBuffer* source, LPCWSTR* arguments,
                                            UINT32 count, IUnknown* includes, REFIID iid,
                                            void** result) = 0;
};
struct DxcUtils : IUnknown {
  virtual void STDMETHODCALLTYPE CreateBlobFromBlob() = 0;
  virtual void STDMETHODCALLTYPE CreateBlobFromPinned() = 0;
  virtual void STDMETHODCALLTYPE MoveToBlob() = 0;
  virtual void STDMETHODCALLTYPE CreateBlob() = 0;
  virtual void STDMETHODCALLTYPE LoadFile() = 0;
  virtual void STDMETHODCALLTYPE CreateReadOnlyStreamFromBlob() = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateDefaultIncludeHandler(IUnknown** includes) = 0;
};
using DxcCreate = HRESULT(WINAPI*)(REFCLSID, REFIID, void**);
constexpr UINT kUtf8 = 65001;
constexpr GUID kDxcCompiler{
    0x73e22d93, 0xe6ce, 0x47f3, {0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0}};
constexpr GUID kDxcCompiler3{
    0x228b4687, 0x5a6a, 0x4730, {0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54}};
constexpr GUID kDxcUtilsClass{
    0x6245d6af, 0x66e0, 0x48fd, {0x80, 0xb4, 0x4d, 0x27, 0x17, 0x96, 0x74, 0x8c}};
constexpr GUID kDxcUtils{
    0x4605c4cb, 0x2019, 0x492a, {0xad, 0xa4, 0x65, 0xf2, 0x0b, 0xb7, 0xd6, 0x7f}};
constexpr GUID kDxcResult{
    0x58346cda, 0xdde7, 0x4497, {0x94, 0x61, 0x6f, 0x87, 0xaf, 0x5e, 0x06, 0x59}};

class Dxc final : public Compiler {
 public:
  explicit Dxc(DxcCreate create) {
    DxcUtils* utils = nullptr;
    usable_ =
        SUCCEEDED(create(kDxcCompiler, kDxcCompiler3, reinterpret_cast<void**>(&compiler_))) &&
        SUCCEEDED(create(kDxcUtilsClass, kDxcUtils, reinterpret_cast<void**>(&utils))) &&
        SUCCEEDED(utils->CreateDefaultIncludeHandler(&includes_));
  }

  bool usable() const { return usable_; }
  std::string kind() const override { return "dxil"; }

  Bytes compile(const Variant& variant, const std::string& source) override {
    // HLSL as FXC has it: 2021 evaluates && and || otherwise.
    std::vector<std::wstring> words{L"-E",
                                    wide(variant.entry),
                                    L"-T",
                                    L"cs_6_0",
                                    L"-O3",
                                    L"-HV",
                                    L"2018",
                                    L"-Qstrip_debug",
                                    L"-Qstrip_reflect",
                                    L"-WX"};
    for (const auto& [name, value] : variant.defines) {
      words.insert(words.end(), {L"-D", wide(name + "=" + value)});
    }
    std::vector<LPCWSTR> arguments;
    for (const std::wstring& word : words) arguments.push_back(word.c_str());
    const DxcBuffer buffer{source.data(), source.size(), kUtf8};
    DxcResult* answer = nullptr;
    HRESULT result =
        compiler_->Compile(&buffer, arguments.data(), static_cast<UINT32>(arguments.size()),
                           includes_, kDxcResult, reinterpret_cast<void**>(&answer));
    if (FAILED(result)) return failed(variant, result);
    ID3DBlob* messages = nullptr;
    answer->GetErrorBuffer(&messages);
    const std::string said = text(messages);
    if (said.find_first_not_of('\0') != std::string::npos) {
      std::fprintf(stderr, "%s: %s\n", variant.name.c_str(), said.c_str());
    }
    answer->GetStatus(&result);
    ID3DBlob* code = nullptr;
    if (SUCCEEDED(result)) result = answer->GetResult(&code);
    if (FAILED(result)) return failed(variant, result);
    const std::string bytes = text(code);
    code->Release();
    answer->Release();
    return {bytes.begin(), bytes.end()};
  }

 private:
  DxcCompiler3* compiler_ = nullptr;
  IUnknown* includes_ = nullptr;
  bool usable_ = false;
};

// Null where the library is neither.
std::unique_ptr<Compiler> compilerOf(HMODULE library) {
  if (const auto create = functionOf<DxcCreate>(library, "DxcCreateInstance")) {
    auto dxc = std::make_unique<Dxc>(create);
    if (dxc->usable()) return dxc;
  }
  const auto compile = functionOf<decltype(&D3DCompile)>(library, "D3DCompile");
  const auto strip = functionOf<decltype(&D3DStripShader)>(library, "D3DStripShader");
  if (compile && strip) return std::make_unique<Fxc>(compile, strip);
  return nullptr;
}

bool writeFile(const std::string& path, const Bytes& code) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(code.data()), static_cast<std::streamsize>(code.size()));
  return out.good();
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    std::fprintf(stderr, "usage: compiler <dll> <manifest.txt> <output folder> [<shader>...]\n");
    return 2;
  }
  const HMODULE library = LoadLibraryA(arguments[1]);
  if (!library) {
    std::fprintf(stderr, "compiler: cannot load %s (error %lu)\n", arguments[1], GetLastError());
    return 1;
  }
  const std::unique_ptr<Compiler> compiler = compilerOf(library);
  std::vector<Variant> variants;
  if (!compiler || !readManifest(arguments[2], variants)) {
    std::fprintf(stderr, "compiler: no compiler in %s, or %s is malformed\n", arguments[1],
                 arguments[2]);
    return 1;
  }

  const std::string folder = arguments[3];
  int failures = 0;
  size_t total = 0;
  for (const Variant& variant : variants) {
    if (count > 4 && std::find(arguments + 4, arguments + count, variant.name) == arguments + count)
      continue;
    std::string source;
    if (!readFile(variant.file, source)) {
      std::fprintf(stderr, "%s: cannot read %s\n", variant.name.c_str(), variant.file.c_str());
      return 1;
    }
    const Bytes code = compiler->compile(variant, source);
    if (code.empty()) {
      ++failures;
      continue;
    }
    std::printf("%s: %zu bytes\n", variant.name.c_str(), code.size());
    std::fflush(stdout);
    total += code.size();
    if (!writeFile(folder + "/" + variant.name + "." + compiler->kind(), code)) return 1;
  }
  std::printf("%zu shaders, %zu bytes, %d failures\n", variants.size(), total, failures);
  return failures ? 1 : 0;
}
