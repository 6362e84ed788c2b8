#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/command/targets.h"
#include "conformance/run/lane.h"

// Options that several commands share, and checks for the options of all of them.

namespace dmlcts {

// What to test, and where. --worker excludes those that say how to start a worker of our own.
void addTargetOptions(CLI::App& command, TargetOptions& options);

// Hosts the target in this process: for debuggers. To be called after the options of jobs and
// times, which it excludes.
void addInProcessOption(CLI::App& command, TargetOptions& options);

// What --in-process changes: no deadline, and a warning on stderr.
void prepareInProcess(const TargetOptions& options, LaneOptions& lane);

// The longest time that a command takes: 115 days.
inline constexpr int64_t kMostSeconds = 10'000'000;

// A number of seconds as a user writes it, "0.5" or "600", to the millisecond. Nothing where it is
// not a number, negative, longer than kMostSeconds, or would be rounded to 0 without being 0.
std::optional<std::chrono::milliseconds> parseSeconds(const std::string& text);

enum class Zero { Refused, Taken };

// An option that takes such a number; `value` holds the default. All times that commands take are
// options of this kind.
CLI::Option* addSecondsOption(CLI::App& command, const std::string& name,
                              std::chrono::milliseconds& value, const std::string& description,
                              Zero zero = Zero::Refused);

// A number of bytes, "4096", "64KiB", "3MiB" or "32GiB". Nothing where it is none, or does not fit
// 64 bits.
std::optional<uint64_t> parseBytes(std::string_view text);

// --piece and --memory of LaneOptions. To be called after the option --repeat, which excludes the
// first.
void addSizeOptions(CLI::App& command, LaneOptions& lane);

// Makes every numeric option of the application and its subcommands refuse what is not a number:
// signs, octal and overflowing whole numbers, "nan" and "inf". To be called once all are added.
void requirePlainNumbers(CLI::App& app);

}  // namespace dmlcts
