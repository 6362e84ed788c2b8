#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "conformance/cases/generate.h"
#include "gpu/d3d12/target.h"
#include "gpu/d3d12/test/oracle_cases.h"

namespace dmlcts::gpu {
namespace {

TEST(D3D12Target, EqualsTheReference) {
  const std::unique_ptr<Target> target = makeD3D12Target({});
  EXPECT_TRUE(rc::check("every answer is what the reference evaluates", [&] {
    const auto seed = *rc::gen::arbitrary<uint64_t>();
    Draws draws(seed);
    std::vector<Request> requests;
    for (uint64_t i = 0; i < 40; ++i) {
      requests.push_back(test::requestOf(generate(draws, anythingAt(Level::L6_4, 4000)),
                                         {seed + i, static_cast<test::Density>(draws.below(6))}));
    }
    RC_ASSERT(test::differences(*target, requests) == "");
  }));
}

}  // namespace
}  // namespace dmlcts::gpu
