#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "gpu/target.h"

// Helpers for tests of modes.

namespace dmlcts::gpu::test {

inline Modes only(Mode mode) {
  Modes modes;
  modes.add(mode);
  return modes;
}

// Returns the modes that the target supports.
inline std::vector<Mode> modesOf(std::string_view target) {
  std::vector<Mode> modes;
  for (size_t i = 0; i < kModes.size(); ++i) {
    if (takes(target, static_cast<Mode>(i))) modes.push_back(static_cast<Mode>(i));
  }
  return modes;
}

inline std::vector<Request> modes(const Modes& modes, std::vector<Request> requests) {
  for (Request& request : requests) request.modes = modes;
  return requests;
}

// Compares answers in these modes, byte by byte, with those of the ordinary mode, all Executed.
// Returns the differences; "" if there are none.
inline std::string differencesFrom(const std::vector<Answer>& ordinary,
                                   const std::vector<Answer>& answers, const Modes& modes) {
  EXPECT_EQ(answers.size(), ordinary.size());
  std::string text;
  for (size_t i = 0; i < answers.size(); ++i) {
    const Answer& answer = answers[i];
    EXPECT_EQ(ordinary[i].status, Status::Executed) << ordinary[i].message;
    if (answer.status != Status::Executed) {
      text += "request " + std::to_string(i) + ": " + answer.message + "\n";
      continue;
    }
    EXPECT_EQ(name(answer.modes), name(modes));
    EXPECT_EQ(answer.more.size() + 1, executionsOf(modes));
    std::vector<Execution> executions{answer};
    executions.insert(executions.end(), answer.more.begin(), answer.more.end());
    for (size_t k = 0; k < executions.size(); ++k) {
      if (executions[k] == ordinary[i]) continue;
      text += "request " + std::to_string(i) + ", execution " + std::to_string(k) + "\n";
    }
  }
  return text;
}

}  // namespace dmlcts::gpu::test
