#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "gpu/target.h"

// For tests of ways: the same requests in a way, and what it changed.

namespace dmlcts::gpu::test {

inline Ways only(Way way) {
  Ways ways;
  ways.add(way);
  return ways;
}

// Those that a target of that name takes.
inline std::vector<Way> waysOf(std::string_view target) {
  std::vector<Way> ways;
  for (size_t i = 0; i < kWays.size(); ++i) {
    if (takes(target, static_cast<Way>(i))) ways.push_back(static_cast<Way>(i));
  }
  return ways;
}

inline std::vector<Request> via(const Ways& ways, std::vector<Request> requests) {
  for (Request& request : requests) request.via = ways;
  return requests;
}

// How answers by those ways differ, byte by byte, from those of the ordinary way, which all were
// Executed; "" for not at all.
inline std::string differencesFrom(const std::vector<Answer>& ordinary,
                                   const std::vector<Answer>& answers, const Ways& ways) {
  EXPECT_EQ(answers.size(), ordinary.size());
  std::string text;
  for (size_t i = 0; i < answers.size(); ++i) {
    const Answer& answer = answers[i];
    EXPECT_EQ(ordinary[i].status, Status::Executed) << ordinary[i].message;
    if (answer.status != Status::Executed) {
      text += "request " + std::to_string(i) + ": " + answer.message + "\n";
      continue;
    }
    EXPECT_EQ(name(answer.via), name(ways));
    EXPECT_EQ(answer.more.size() + 1, executionsOf(ways));
    std::vector<Execution> executions{{answer.outputs, answer.inputs}};
    executions.insert(executions.end(), answer.more.begin(), answer.more.end());
    for (size_t k = 0; k < executions.size(); ++k) {
      if (executions[k] == Execution{ordinary[i].outputs, ordinary[i].inputs}) continue;
      text += "request " + std::to_string(i) + ", execution " + std::to_string(k) + "\n";
    }
  }
  return text;
}

}  // namespace dmlcts::gpu::test
