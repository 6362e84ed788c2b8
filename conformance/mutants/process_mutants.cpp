// Mutants that answer every single request correctly, or do not answer. Their faults show only in
// messages of several requests, in a second process, or when a process ends.

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "conformance/mutants/catalogue.h"

namespace dmlcts {
namespace {

void die() { std::raise(SIGSEGV); }

void supportNothing(std::span<const gpu::Request> requests, std::vector<gpu::Answer>& answers) {
  for (size_t i = 0; i < answers.size(); ++i) {
    gpu::Answer answer;
    answer.id = answers[i].id;
    if (requests[i].execute) {
      answer.status = gpu::Status::NotSupported;
      answer.message = "CheckFeatureSupport: no such data type";
    } else {
      answer.status = gpu::Status::Rejected;
      answer.hresult = kInvalidArgument;
    }
    answers[i] = std::move(answer);
  }
}

// True for one request in 33, at random.
bool oneIn33() {
  static std::mt19937 random{std::random_device{}()};
  return random() % 33 == 0;
}

const Signs kCrash{.verdicts = {Verdict::Crash}, .kinds = {kind::kCrash}};
const Signs kDeath{
    .verdicts = {Verdict::Crash}, .kinds = {kind::kCrash}, .where = Signs::Where::BetweenCases};

}  // namespace

std::vector<Mutant> processMutants() {
  return {
      {"supports-nothing",
       "Says of every execution that it is not supported, and rejects everything else.",
       {},
       {.onAnswers = supportNothing},
       {.verdicts = {Verdict::NotSupported, Verdict::Fail}, .kinds = {kind::kRejected}}},
      {"inputs-not-returned",
       "Does not say what its inputs hold afterwards.",
       {},
       {.onAnswers =
            [](std::span<const gpu::Request>, std::vector<gpu::Answer>& answers) {
              for (gpu::Answer& answer : answers) answer.inputs.clear();
            }},
       {.kinds = {kind::kMalformedAnswer}}},
      {"company-crash",
       "Crashes whenever a message brings two requests.",
       {},
       {.onMessage =
            [](std::span<const gpu::Request> requests) {
              if (requests.size() > 1) die();
            }},
       kCrash},
      {"company-hang",
       "Hangs whenever a message brings two requests.",
       {},
       {.onMessage =
            [](std::span<const gpu::Request> requests) {
              while (requests.size() > 1) std::this_thread::sleep_for(std::chrono::seconds(1));
            }},
       {.verdicts = {Verdict::Timeout}, .kinds = {kind::kTimeout}}},
      {"company-answer-renamed",
       "Answers the wrong request whenever a message brings two.",
       {},
       {.onAnswers =
            [](std::span<const gpu::Request>, std::vector<gpu::Answer>& answers) {
              if (answers.size() > 1) answers.back().id += 1000;
            }},
       {.kinds = {kind::kMalformedAnswer}}},
      {"random-crash",
       "Crashes on 3 % of the requests, by chance.",
       {},
       {.onMessage =
            [](std::span<const gpu::Request> requests) {
              for (size_t i = 0; i < requests.size(); ++i) {
                if (oneIn33()) die();
              }
            }},
       {.verdicts = {Verdict::Crash, Verdict::Flaky}, .kinds = {kind::kCrash}}},
      {"death-after-answer", "Answers a message and crashes.", {}, {.onSent = die}, kDeath},
      {"death-at-exit", "Crashes when it is told to exit.", {}, {.atExit = die}, kDeath},
      {"device-per-process",
       "Is another device in every process.",
       {},
       {.identity =
            [](gpu::Identity& identity) {
              static const auto number = std::random_device{}();
              identity.adapter = fmt::format("adapter {}", number);
            }},
       {.where = Signs::Where::InIdentity}},
  };
}

}  // namespace dmlcts
