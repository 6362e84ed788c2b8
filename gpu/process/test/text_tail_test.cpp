#include "gpu/process/text_tail.h"

#include <gtest/gtest.h>

namespace dmlcts::gpu {
namespace {

TEST(TextTail, KeepsWhatFits) {
  TextTail tail(10);
  tail.append("abc");
  tail.append("def");
  EXPECT_EQ(tail.take(), "abcdef");
  EXPECT_EQ(tail.take(), "");
}

TEST(TextTail, KeepsTheEndAndCountsWhatItDropped) {
  for (size_t piece : {1, 3, 7, 25, 100}) {
    TextTail tail(10);
    const std::string all = "0123456789abcdefghijklmnopqrstuvwxyz";
    for (size_t at = 0; at < all.size(); at += piece) tail.append(all.substr(at, piece));
    EXPECT_EQ(tail.take(), "[26 earlier bytes dropped]\nqrstuvwxyz") << piece;
    EXPECT_LE(tail.memory(), 40u);
  }
}

TEST(TextTail, GivesPlainText) {
  TextTail tail(10);
  tail.append("caf\xe9\n\x1b[2J");
  EXPECT_EQ(tail.take(), "caf\uFFFD\n\\x1B[2J");
}

}  // namespace
}  // namespace dmlcts::gpu
