#include "conformance/run/lane.h"

#include <fmt/format.h>

#include <exception>
#include <mutex>
#include <thread>

#include "conformance/run/journaling.h"

namespace dmlcts {

void runLanes(uint32_t jobs, const LaneOptions& options, Lane& first, const LaneWork& work) {
  const gpu::Identity identity = first.identity();
  std::mutex mutex;
  std::exception_ptr error;
  const auto keep = [&] {
    const std::lock_guard lock(mutex);
    if (!error) error = std::current_exception();
  };
  const auto guarded = [&](const auto& part) {
    try {
      part();
    } catch (const WorkerStartError&) {
      work.stop();
      if (!options.cancel || !*options.cancel) keep();  // else it was not waited for
    } catch (...) {
      work.stop();
      keep();
    }
  };
  std::vector<std::thread> others;
  for (uint32_t i = 1; i < jobs; ++i) {
    others.emplace_back([&, i] {
      guarded([&] {
        Lane lane(options);
        if (const auto difference = differenceOf(lane.identity(), identity)) {
          throw WorkerStartError(fmt::format("worker {} hosts something else than worker 1: the {}",
                                             i + 1, *difference));
        }
        work.others(lane);
      });
    });
  }
  guarded(work.first);
  for (std::thread& other : others) other.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace dmlcts
