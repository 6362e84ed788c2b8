#include "gpu/shaders/test/program.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <string>

namespace dmlcts::gpu::test {
namespace {

uint32_t bits(uint32_t token, int first, int count) {
  return token >> first & ((uint32_t{1} << count) - 1);
}

class Reader {
 public:
  explicit Reader(std::span<const uint32_t> tokens) : tokens_(tokens) {}

  bool atEnd() const { return at_ >= tokens_.size(); }
  size_t at() const { return at_; }
  void moveTo(size_t at) { at_ = at; }
  uint32_t peek() const {
    if (atEnd()) throw std::runtime_error("the bytecode is cut off");
    return tokens_[at_];
  }
  uint32_t next() {
    const uint32_t token = peek();
    ++at_;
    return token;
  }

  Operand operand() {
    const uint32_t token = next();
    Operand operand;
    operand.kind = static_cast<Operand::Kind>(bits(token, 12, 8));
    if (bits(token, 31, 1) != 0) operand.negated = bits(next(), 6, 8) == 1;
    const uint32_t width = bits(token, 0, 2);  // 0, 1 or 4 components, as 0 to 2
    if (width == 1) operand.mask = 1;
    if (width == 2) {
      switch (bits(token, 2, 2)) {
        case 0:
          operand.mask = static_cast<uint8_t>(bits(token, 4, 4));
          operand.components = {0, 1, 2, 3};
          break;
        case 1:
          for (int i = 0; i < 4; ++i) {
            operand.components[i] = static_cast<uint8_t>(bits(token, 4 + 2 * i, 2));
          }
          break;
        default:
          operand.components.fill(static_cast<uint8_t>(bits(token, 4, 2)));
      }
    }
    if (operand.kind == Operand::Kind::Immediate) {
      if (width == 1) operand.immediate.fill(next());
      if (width == 2) {
        for (uint32_t& value : operand.immediate) value = next();
        operand.components = {0, 1, 2, 3};
      }
    }
    const uint32_t dimensions = bits(token, 20, 2);
    for (uint32_t i = 0; i < dimensions; ++i) {
      const uint32_t form = bits(token, static_cast<int>(22 + 3 * i), 3);
      Operand::Index index;
      if (form == 0 || form == 3) index.number = next();
      if (form == 2 || form == 3) index.added.push_back(this->operand());
      if (form != 0 && form != 2 && form != 3) throw std::runtime_error("an index of 64 bits");
      operand.indices.push_back(std::move(index));
    }
    return operand;
  }

 private:
  std::span<const uint32_t> tokens_;
  size_t at_ = 0;
};

// Sets the targets of If, Else, EndLoop, Break and Continue.
void link(std::vector<Instruction>& all) {
  struct Block {
    uint32_t begin;
    std::vector<uint32_t> leaving;  // jump past its end
  };
  std::vector<Block> ifs;
  std::vector<Block> loops;
  for (uint32_t i = 0; i < all.size(); ++i) {
    switch (all[i].op) {
      case Op::If:
        ifs.push_back({i, {}});
        break;
      case Op::Else:
        all[ifs.back().begin].target = i + 1;
        ifs.back().begin = i;
        break;
      case Op::EndIf:
        all[ifs.back().begin].target = i + 1;
        ifs.pop_back();
        break;
      case Op::Loop:
        loops.push_back({i, {}});
        break;
      case Op::Break:
      case Op::BreakIf:
        loops.back().leaving.push_back(i);
        break;
      case Op::Continue:
      case Op::ContinueIf:
        all[i].target = loops.back().begin + 1;
        break;
      case Op::EndLoop:
        all[i].target = loops.back().begin + 1;
        for (const uint32_t leaving : loops.back().leaving) all[leaving].target = i + 1;
        loops.pop_back();
        break;
      default:
        break;
    }
  }
}

std::vector<uint32_t> tokensOf(std::span<const uint8_t> bytecode) {
  const auto dword = [&](size_t at) {
    uint32_t value = 0;
    if (at + 4 > bytecode.size()) throw std::runtime_error("the bytecode is cut off");
    std::memcpy(&value, &bytecode[at], 4);
    return value;
  };
  const uint32_t parts = dword(28);
  for (uint32_t i = 0; i < parts; ++i) {
    const size_t part = dword(32 + 4 * size_t{i});
    if (dword(part) != 0x58454853) continue;  // "SHEX"
    std::vector<uint32_t> tokens(dword(part + 12));
    for (size_t k = 0; k < tokens.size(); ++k) tokens[k] = dword(part + 8 + 4 * k);
    return tokens;
  }
  throw std::runtime_error("the bytecode has no shader");
}

}  // namespace

Program programOf(std::span<const uint8_t> bytecode) {
  const std::vector<uint32_t> tokens = tokensOf(bytecode);
  Reader reader(tokens);
  if (reader.next() != 0x00050051) throw std::runtime_error("no compute shader of model 5.1");
  reader.next();
  Program program;
  while (!reader.atEnd()) {
    const size_t begin = reader.at();
    const uint32_t token = reader.next();
    const auto op = static_cast<Op>(bits(token, 0, 11));
    if (op == Op::CustomData) {
      const uint32_t length = reader.next();
      if (bits(token, 11, 21) == 3) {
        program.immediateConstants.resize((length - 2) / 4);
        for (auto& row : program.immediateConstants) {
          for (uint32_t& value : row) value = reader.next();
        }
      }
      reader.moveTo(begin + length);
      continue;
    }
    const size_t end = begin + bits(token, 24, 7);
    for (uint32_t more = token; bits(more, 31, 1) != 0;) more = reader.next();
    if (op == Op::DeclareTemps) {
      program.temps = reader.next();
    } else if (op == Op::DeclareIndexable) {
      const uint32_t number = reader.next();
      program.indexables.push_back({number, reader.next()});
    } else if (op == Op::DeclareThreads) {
      program.threads = reader.next();
      program.threads *= reader.next();
      program.threads *= reader.next();
    } else if (op == Op::DeclareGroupRaw || op == Op::DeclareGroupStructured) {
      const uint32_t number = reader.operand().indices.at(0).number;
      const uint32_t bytes = op == Op::DeclareGroupRaw ? 4 : reader.next();
      const uint32_t count = op == Op::DeclareGroupRaw ? reader.next() / 4 : reader.next();
      program.group.push_back({number, bytes, count});
    } else if (!(op >= Op::FirstDeclaration && op <= Op::LastDeclaration) &&
               !(op >= Op::FirstLaterDeclaration && op <= Op::LastLaterDeclaration)) {
      Instruction instruction;
      instruction.op = op;
      instruction.ifNonzero = bits(token, 18, 1) != 0;
      instruction.joinsGroup = op == Op::Sync && bits(token, 11, 1) != 0;
      while (reader.at() < end) instruction.operands.push_back(reader.operand());
      program.instructions.push_back(std::move(instruction));
    }
    reader.moveTo(end);
  }
  link(program.instructions);
  return program;
}

}  // namespace dmlcts::gpu::test
