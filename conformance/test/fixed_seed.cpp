// Linked into every unit-test program. Fixes rapidcheck's seed, so that only a commit can break its
// tests. DMLCTS_EXPLORE or RC_PARAMS selects other cases.

#include "conformance/test/explores.h"

namespace {

[[maybe_unused]] const int fixed = [] {
  if (dmlcts::explores()) return 0;
#ifdef _WIN32
  return std::getenv("RC_PARAMS") != nullptr ? 0 : _putenv("RC_PARAMS=seed=1");
#else
  return setenv("RC_PARAMS", "seed=1", 0);
#endif
}();

}  // namespace
