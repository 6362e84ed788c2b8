#include <gmock/gmock.h>

#include <fstream>
#include <numeric>

#include "conformance/test/thrown.h"
#include "gpu/identity/file_hash.h"
#include "gpu/identity/loaded_files.h"

namespace dmlcts::gpu {
namespace {

using testing::ElementsAre;

std::string sha256(std::string_view text) {
  Sha256 hash;
  hash.add({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  return hash.digits();
}

// The examples of FIPS 180-2, appendix B, and the empty text.
TEST(Sha256, GivesTheStandardsExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfAFileLongerThanAPiece) {
  const std::string path = testing::TempDir() + "dmlcts_file_hash_test";
  std::string text(3 * (1 << 20) + 17, '\0');
  std::iota(text.begin(), text.end(), char{1});
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(sha256OfFile(path), sha256(text));
  std::filesystem::remove(path);
  EXPECT_EQ(thrown<std::runtime_error>([&] { sha256OfFile(path); }), "cannot read " + path);
  EXPECT_THROW(sha256OfFile(testing::TempDir()), std::runtime_error);  // a folder
}

TEST(LoadedFiles, AreReadFromAMapsText) {
  EXPECT_THAT(mappedFiles("7f01-7f02 r--p 00000000 fe:00 17    /usr/lib/libvulkan.so.1.3.239\n"
                          "7f02-7f03 r-xp 00001000 fe:00 17    /usr/lib/libvulkan.so.1.3.239\n"
                          "7f03-7f04 rw-p 00000000 00:00 0\n"
                          "7f05-7f06 r-xp 00000000 00:00 0     [vdso]\n"
                          "7f06-7f07 r-xp 00000000 fe:00 18    /opt/a b/libGLX_nvidia.so.0\n"
                          "7f07-7f08 r-xp 00002000 fe:00 17    /usr/lib/libvulkan.so.1.3.239\n"
                          "7f08-7f09 r-xp"),
              ElementsAre("/usr/lib/libvulkan.so.1.3.239", "/opt/a b/libGLX_nvidia.so.0"));
}

TEST(LoadedFiles, AreOfTheRuntimeByTheirNames) {
  for (const char* file :
       {"/usr/lib/libvkd3d.so.1.7.0", "/usr/lib/libvkd3d-shader.so.1", "/usr/lib/libvulkan.so.1",
        "/usr/lib/libVkLayer_khronos_validation.so", "C:/Windows/System32/D3D12.dll",
        "C:/x/D3D12Core.dll", "C:/Windows/System32/dxgi.dll", "C:/x/DirectML.dll",
        "C:\\Windows\\System32\\DriverStore\\FileRepository\\nv_1\\nvwgf2umx.dll"}) {
    EXPECT_TRUE(belongsToRuntime(file)) << file;
  }
  for (const char* file :
       {"/usr/lib/libc.so.6", "/usr/lib/libstdc++.so.6", "/lib/libLLVM-15.so.1",
        "/usr/lib/libvulkan_radeon.so", "C:/Windows/System32/kernel32.dll", "/usr/bin/dmlcts"}) {
    EXPECT_FALSE(belongsToRuntime(file)) << file;
  }
}

TEST(LoadedFiles, BelongToTheDriverThatIsUsed) {
  EXPECT_TRUE(belongsTo("/x/libnvidia-glcore.so.5", "/x/libGLX_nvidia.so.5"));
  EXPECT_TRUE(belongsTo("/x/libGLX_nvidia.so.5", "/x/libnvidia-gpucomp.so.5"));
  EXPECT_TRUE(belongsTo("/x/libvulkan_lvp.so", "/x/libgallium-25.0.7.so"));
  EXPECT_FALSE(belongsTo("/x/libvulkan_lvp.so", "/x/libnvidia-glcore.so.5"));
  EXPECT_FALSE(belongsTo("/x/libvulkan_lvp.so", "/x/libvulkan_radeon.so"));
}

TEST(LoadedFiles, HoldThisProgramAndWhatIsNamed) {
  const std::string path = testing::TempDir() + "dmlcts_loaded_files_test.so";
  std::ofstream(path) << "abc";
  const std::vector<std::filesystem::path> further{path, "/nonexistent/driver.so"};
  const auto files = implementationFiles(further);
  EXPECT_EQ(files.size(), 2u);  // this test links no driver
  EXPECT_EQ(files.at("dmlcts_loaded_files_test.so"), sha256("abc"));
  ASSERT_TRUE(files.contains("gpu_test"));
  EXPECT_EQ(files.at("gpu_test"), sha256OfFile("/proc/self/exe"));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace dmlcts::gpu
