#include "conformance/run/target_identity.h"

#include <gmock/gmock.h>

#include "conformance/test/thrown.h"

namespace dmlcts {
namespace {

using testing::HasSubstr;

gpu::Identity machine() {
  gpu::Identity identity;
  identity.target = "directml";
  identity.adapter = "NVIDIA H200";
  identity.vendorId = 0x10de;
  identity.driver = "NVIDIA 580.159.03";
  identity.implementation = "1.15.4";
  identity.shaderModel = "6.0";
  identity.maxLevel = Level::L6_4;
  identity.files = {{"DirectML.dll", "0123abcd"}, {"libvkd3d.so.1", "4567ef"}};
  return identity;
}

TEST(RequiredTarget, TakesWhatMatchesInEveryKey) {
  RequiredTarget().check(machine());
  RequiredTarget({"target=directml", "adapter=*H200", "vendor=0x10de", "driver=*580.*",
                  "implementation=1.15.?", "shader-model=6.0", "level=6.4", "sha256=0123*",
                  "sha256=4567ef", "sha256:DirectML.dll=*abcd"})
      .check(machine());
}

TEST(RequiredTarget, SaysRequiredAndAnsweredOfWhatDoesNot) {
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"driver=*590*", "driver          required \"*590*\", answered \"NVIDIA 580.159.03\""},
           {"vendor=0x1002", "required \"0x1002\", answered \"0x10de\""},
           {"device=0x2335", "required \"0x2335\", answered unknown"},
           {"level=5.1", "answered \"6.4\""},
           {"sha256=89*", "answered \"0123abcd\", \"4567ef\""},
           {"sha256:DirectML.dll=4567ef", "answered \"0123abcd\""},
           {"sha256:other.dll=*", "answered unknown"},
           {"runtime=*0", "answered unknown"}}) {
    const std::string what = thrown<WrongTarget>(
        [&, &one = text] { RequiredTarget({"target=directml", one}).check(machine()); });
    EXPECT_THAT(what, HasSubstr(said));
    EXPECT_THAT(what, testing::Not(HasSubstr("target  "))) << "that one matched";
  }
}

}  // namespace
}  // namespace dmlcts
