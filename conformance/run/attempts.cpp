#include "conformance/run/attempts.h"

#include <fmt/format.h>

namespace dmlcts {

Judgement judgementOf(const gpu::Failure& failure) {
  const auto judgement = [&](Verdict verdict, std::string_view kind) {
    return Judgement{verdict, gpu::describe(failure), {}, {{std::string(kind), 1}}};
  };
  if (std::holds_alternative<gpu::TimedOut>(failure)) {
    return judgement(Verdict::Timeout, kind::kTimeout);
  }
  if (std::holds_alternative<gpu::ProtocolViolation>(failure)) {
    return judgement(Verdict::Fail, kind::kMalformedAnswer);
  }
  return judgement(Verdict::Crash, kind::kCrash);
}

std::string inAMessageOf(size_t cases) {
  return cases == 1 ? "alone" : fmt::format("in a message of {} cases", cases);
}

std::string attemptText(std::string_view circumstance, const Judgement& judgement) {
  return fmt::format("{}: {}{}{}", circumstance, name(judgement.verdict),
                     judgement.message.empty() ? "" : ", ", judgement.message);
}

Judgement flaky(std::string_view circumstance, const Judgement& once) {
  Judgement judgement = once;
  judgement.verdict = Verdict::Flaky;
  judgement.message =
      fmt::format("{} {}, not again: {}", name(once.verdict), circumstance, once.message);
  return judgement;
}

}  // namespace dmlcts
