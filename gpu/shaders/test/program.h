#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

// Decodes compute shaders of shader model 5.1 (DXBC), as FXC compiles ours, for the interpreter in
// machine.h. The format is that of d3d12TokenizedProgramFormat.hpp.

namespace dmlcts::gpu::test {

enum class Op : uint16_t {
  And = 1,
  Break = 2,
  BreakIf = 3,
  Continue = 7,
  ContinueIf = 8,
  Else = 18,
  EndIf = 21,
  EndLoop = 22,
  IAdd = 30,
  If = 31,
  IEq = 32,
  IGe = 33,
  ILt = 34,
  IMad = 35,
  IMax = 36,
  IMin = 37,
  IMul = 38,
  INe = 39,
  INeg = 40,
  IShl = 41,
  IShr = 42,
  Ld = 45,
  Loop = 48,
  CustomData = 53,
  Mov = 54,
  MovC = 55,
  Nop = 58,
  Not = 59,
  Or = 60,
  Ret = 62,
  RetIf = 63,
  UDiv = 78,
  ULt = 79,
  UGe = 80,
  UMul = 81,
  UMad = 82,
  UMax = 83,
  UMin = 84,
  UShr = 85,
  Xor = 87,
  FirstDeclaration = 88,
  DeclareTemps = 104,
  DeclareIndexable = 105,
  LastDeclaration = 106,
  CountBits = 134,
  FirstBitLow = 136,
  UBfe = 138,
  Bfi = 140,
  BfRev = 141,
  SwapC = 142,
  FirstLaterDeclaration = 143,
  DeclareThreads = 155,
  DeclareGroupRaw = 159,
  DeclareGroupStructured = 160,
  LastLaterDeclaration = 162,
  LdUavTyped = 163,
  StoreUavTyped = 164,
  LdRaw = 165,
  StoreRaw = 166,
  LdStructured = 167,
  StoreStructured = 168,
  AtomicAnd = 169,
  AtomicOr = 170,
  AtomicIAdd = 173,
  ImmAtomicIAdd = 180,
  ImmAtomicAnd = 181,
  ImmAtomicOr = 182,
  Sync = 190,
};

struct Operand {
  enum class Kind : uint8_t {
    Temp = 0,
    Indexable = 3,
    Immediate = 4,
    Resource = 7,
    ConstantBuffer = 8,
    ImmediateConstants = 9,
    Null = 13,
    Uav = 30,
    Group = 31,
    GroupId = 33,
    ThreadInGroup = 36,
  };
  // A number, plus a component of a temporary, or of a dword of an indexable one, if any.
  struct Index {
    uint32_t number = 0;
    std::vector<Operand> added;  // none or one
  };
  Kind kind = Kind::Null;
  uint8_t mask = 0;  // of a destination
  std::array<uint8_t, 4> components{};
  std::array<uint32_t, 4> immediate{};
  bool negated = false;
  std::vector<Index> indices;
};

struct Instruction {
  Op op = Op::Nop;
  bool ifNonzero = false;   // for If, RetIf, …
  bool joinsGroup = false;  // for Sync: waits for every thread of the group
  uint32_t target = 0;      // of jumps: the instruction
  std::vector<Operand> operands;
};

struct Program {
  uint32_t temps = 0;
  std::vector<std::array<uint32_t, 2>> indexables;  // number, size
  std::vector<std::array<uint32_t, 3>> group;       // number, bytes per element, elements
  std::vector<std::array<uint32_t, 4>> immediateConstants;
  uint32_t threads = 0;
  std::vector<Instruction> instructions;
};

// Throws std::runtime_error if it is not such a shader, or has features that ours lack.
Program programOf(std::span<const uint8_t> bytecode);

}  // namespace dmlcts::gpu::test
