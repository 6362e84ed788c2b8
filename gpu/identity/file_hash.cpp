#include "gpu/identity/file_hash.h"

#include <fstream>
#include <stdexcept>
#include <vector>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// after windows.h
#include <bcrypt.h>
#else
// Uses SHA256_Update() rather than EVP, which would link all of OpenSSL statically: 3.5 MB.
#define OPENSSL_API_COMPAT 10101
#include <openssl/sha.h>
#endif

namespace dmlcts::gpu {
namespace {

constexpr size_t kDigestBytes = 32;
constexpr size_t kPieceBytes = 1 << 20;

void require(bool done, const char* call) {
  if (!done) throw std::runtime_error(std::string("cannot compute a SHA-256: ") + call + " failed");
}

}  // namespace

#ifdef _WIN32

struct Sha256::State {
  BCRYPT_HASH_HANDLE hash = nullptr;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  static const BCRYPT_ALG_HANDLE algorithm = [] {
    BCRYPT_ALG_HANDLE opened = nullptr;
    require(BCryptOpenAlgorithmProvider(&opened, BCRYPT_SHA256_ALGORITHM, nullptr, 0) >= 0,
            "BCryptOpenAlgorithmProvider");
    return opened;
  }();
  require(BCryptCreateHash(algorithm, &state_->hash, nullptr, 0, nullptr, 0, 0) >= 0,
          "BCryptCreateHash");
}

Sha256::~Sha256() { BCryptDestroyHash(state_->hash); }

void Sha256::add(std::span<const uint8_t> bytes) {
  require(BCryptHashData(state_->hash, const_cast<PUCHAR>(bytes.data()),
                         static_cast<ULONG>(bytes.size()), 0) >= 0,
          "BCryptHashData");
}

std::string Sha256::digits() {
  uint8_t digest[kDigestBytes];
  require(BCryptFinishHash(state_->hash, digest, sizeof digest, 0) >= 0, "BCryptFinishHash");

#else

struct Sha256::State {
  SHA256_CTX context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  require(SHA256_Init(&state_->context) == 1, "SHA256_Init");
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const uint8_t> bytes) {
  require(SHA256_Update(&state_->context, bytes.data(), bytes.size()) == 1, "SHA256_Update");
}

std::string Sha256::digits() {
  uint8_t digest[kDigestBytes];
  require(SHA256_Final(digest, &state_->context) == 1, "SHA256_Final");

#endif

  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256OfFile(const std::filesystem::path& file) {
  const auto fail = [&file] {
    const std::u8string name = file.u8string();
    throw std::runtime_error("cannot read " + std::string(name.begin(), name.end()));
  };
  std::ifstream in(file, std::ios::binary);
  if (!in) fail();
  Sha256 hash;
  std::vector<uint8_t> piece(kPieceBytes);
  while (in) {
    in.read(reinterpret_cast<char*>(piece.data()), static_cast<std::streamsize>(piece.size()));
    hash.add({piece.data(), static_cast<size_t>(in.gcount())});
  }
  if (in.bad()) fail();
  return hash.digits();
}

}  // namespace dmlcts::gpu
