#pragma once

// Names in an identity's limits that the reports speak of; gpu/worker/README.md tells workers.

namespace dmlcts::limit {

// A fault of the driver that the target works around. Never silent: part of the sentence, and an
// error of a strict run.
inline constexpr const char* kDriverFault = "driver fault avoided";

// The target's highest level, if newer than the levels that this suite knows.
inline constexpr const char* kReportedLevel = "highest level reported";

}  // namespace dmlcts::limit
