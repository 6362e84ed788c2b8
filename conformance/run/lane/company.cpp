#include "conformance/run/lane/company.h"

#include <chrono>
#include <future>
#include <utility>

namespace dmlcts {
namespace {

constexpr std::chrono::seconds kLongestWait{10};

}  // namespace

Company::Company(LaneOptions options, const std::vector<ScheduledCase>& cases, uint32_t workers) {
  options.cancel = &stop_;
  options.onWorkerFailure = {};
  for (uint32_t i = 0; i < workers; ++i) lanes_.emplace_back(options).identity();
  std::vector<std::future<void>> answers;
  for (Lane& lane : lanes_) {
    std::promise<void> answered;
    answers.push_back(answered.get_future());
    threads_.emplace_back([this, &lane, &cases, answered = std::move(answered)]() mutable {
      bool isBusy = false;
      const auto markBusy = [&] {
        if (!std::exchange(isBusy, true)) answered.set_value();
      };
      size_t next = 0;
      const auto nextCase = [&]() -> std::optional<size_t> {
        if (next == cases.size()) markBusy();  // it may get none
        return stop_ ? std::nullopt : std::optional(next++ % cases.size());
      };
      try {
        lane.run(cases, nextCase, [&](const CaseOutcome& outcome) {
          if (outcome.answer) markBusy();
        });
      } catch (const std::exception&) {
        // It was only there to be busy.
      }
      markBusy();
    });
  }
  for (const std::future<void>& each : answers) each.wait_for(kLongestWait);
}

Company::~Company() {
  stop_ = true;
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace dmlcts
