#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

// SHA-256 in lower-case hexadecimal digits.

namespace dmlcts::gpu {

class Sha256 {
 public:
  // All members throw std::runtime_error if the system's cryptography is unavailable.
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::span<const uint8_t> bytes);
  // Ends the computation and returns 64 digits.
  std::string digits();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Hashes the file's bytes. Throws std::runtime_error, naming the file, if it cannot be read.
std::string sha256OfFile(const std::filesystem::path& file);

}  // namespace dmlcts::gpu
