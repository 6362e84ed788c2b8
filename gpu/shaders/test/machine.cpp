#include "gpu/shaders/test/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <list>

namespace dmlcts::gpu::test {
namespace {

using Value = std::array<uint32_t, 4>;
using Kind = Operand::Kind;

constexpr uint64_t kMostInstructions = 1 << 22;  // per thread

struct Thread {
  uint32_t number = 0;
  uint32_t at = 0;
  bool ended = false;
  uint64_t instructions = 0;
  std::vector<Value> temps;
  std::vector<std::vector<Value>> indexables;
};

class Group {
 public:
  Group(const Program& program, const Dispatch& dispatch, uint32_t x, uint32_t y)
      : program_(program), dispatch_(dispatch), id_{x, y, 0, 0} {
    for (const auto& [number, bytes, count] : program.group) {
      shared_.resize(std::max<size_t>(shared_.size(), number + 1));
      shared_[number].resize(bytes, count);
    }
    threads_.resize(program.threads);
    for (uint32_t i = 0; i < threads_.size(); ++i) {
      std::vector<std::vector<Value>>& indexables = threads_[i].indexables;
      threads_[i].number = i;
      threads_[i].temps.resize(program.temps);
      for (const auto& [number, size] : program.indexables) {
        indexables.resize(std::max<size_t>(indexables.size(), number + 1));
        indexables[number].resize(size);
      }
    }
  }

  // Passes at most so many barriers. False if the group has not ended.
  bool run(uint64_t barriers) {
    for (uint64_t passed = 0; passed < barriers; ++passed) {
      ++phase_;
      for (Thread& thread : threads_) {
        thread_ = &thread;
        if (!thread.ended) runToBarrier();
      }
      const auto ended = std::ranges::count_if(threads_, &Thread::ended);
      if (ended == std::ssize(threads_)) return true;
      for (const Thread& thread : threads_) {
        if (thread.ended || thread.at != threads_[0].at) {
          throw Misbehaviour("a barrier that not all threads of a group reach");
        }
      }
    }
    return false;
  }

  // Returns the barriers to pass before the other groups run.
  uint64_t firstBarriers() const {
    return id_[0] % 2 == 0 ? dispatch_.schedule.evenStopAfter : ~uint64_t{0};
  }

  uint64_t instructions() const {
    uint64_t sum = 0;
    for (const Thread& thread : threads_) sum += thread.instructions;
    return sum;
  }

 private:
  uint64_t threadId() const {
    const uint64_t group = uint64_t{id_[1]} * dispatch_.groupsX + id_[0];
    return dispatch_.firstThread + group * program_.threads + thread_->number;
  }

  uint32_t indexOf(const Operand::Index& index) {
    uint32_t number = index.number;
    for (const Operand& added : index.added) number += read(added)[0];
    return number;
  }

  Value& temp(const Operand& operand) {
    if (operand.kind == Kind::Temp) return thread_->temps.at(operand.indices[0].number);
    const uint32_t at = indexOf(operand.indices[1]);
    auto& all = thread_->indexables.at(operand.indices[0].number);
    if (at >= all.size())
      throw Misbehaviour(fmt::format("entry {} of an array of {}", at, all.size()));
    return all[at];
  }

  Value whole(const Operand& operand) {
    switch (operand.kind) {
      case Kind::Temp:
      case Kind::Indexable:
        return temp(operand);
      case Kind::Immediate:
        return operand.immediate;
      case Kind::ConstantBuffer: {
        const uint32_t row = indexOf(operand.indices[2]);
        if (operand.indices[1].number == 0) return {};  // b0: constants begin at row 0
        if (size_t{row} * 4 + 4 > dispatch_.constants.size()) {
          throw Misbehaviour(fmt::format("row {} of the constants", row));
        }
        Value value;
        std::copy_n(&dispatch_.constants[size_t{row} * 4], 4, value.begin());
        return value;
      }
      case Kind::ImmediateConstants:
        return program_.immediateConstants.at(indexOf(operand.indices[0]));
      case Kind::GroupId:
        return id_;
      case Kind::ThreadInGroup:
        return {thread_->number, thread_->number, thread_->number, thread_->number};
      default:
        throw std::runtime_error(
            fmt::format("an operand of kind {}", static_cast<int>(operand.kind)));
    }
  }

  Value read(const Operand& operand) {
    const Value value = whole(operand);
    Value result;
    for (int i = 0; i < 4; ++i) {
      result[i] = value[operand.components[i]];
      if (operand.negated) result[i] = 0 - result[i];
    }
    return result;
  }

  void write(const Operand& operand, const Value& value) {
    if (operand.kind == Kind::Null) return;
    Value& target = temp(operand);
    for (int i = 0; i < 4; ++i) {
      if ((operand.mask >> i & 1) != 0) target[i] = value[i];
    }
  }

  template <class Function>
  void each(const Instruction& instruction, Function function) {
    const auto& operands = instruction.operands;
    Value a = read(operands[1]);
    Value b{};
    Value c{};
    if (operands.size() > 2) b = read(operands[2]);
    if (operands.size() > 3) c = read(operands[3]);
    Value result;
    for (int i = 0; i < 4; ++i) result[i] = function(a[i], b[i], c[i]);
    write(operands[0], result);
  }

  const CheckedView& viewOf(const Operand& operand) {
    const uint32_t first = operand.kind == Kind::Uav ? 3 : 0;
    const uint32_t number = first + indexOf(operand.indices.at(1));
    if (number >= dispatch_.views.size() || dispatch_.views[number].memory == nullptr) {
      throw Misbehaviour(fmt::format("register {} is not bound", number));
    }
    return dispatch_.views[number];
  }

  GroupArray& shared(const Operand& array) { return shared_.at(array.indices[0].number); }
  GroupArray::By by() const { return {thread_->number, phase_}; }

  // Loads the components of an operand into those of the first.
  template <class Load>
  void loadEach(const Instruction& instruction, const Operand& from, const Load& load) {
    Value value{};
    for (int i = 0; i < 4; ++i) {
      if (instruction.operands[0].mask >> i & 1) value[i] = load(4 * from.components[i]);
    }
    write(instruction.operands[0], value);
  }

  template <class Store>
  static void storeEach(const Operand& to, const Value& value, const Store& store) {
    for (uint32_t i = 0; i < 4; ++i) {
      if (to.mask >> i & 1) store(4 * i, value[i]);
    }
  }

  // Performs an atomic operation on group memory or a view. Some instructions return the old value.
  void change(const Instruction& instruction, uint32_t (*how)(uint32_t, uint32_t)) {
    const bool returns = instruction.op >= Op::ImmAtomicIAdd;
    const Operand* operands = &instruction.operands[returns ? 1 : 0];
    const Value at = read(operands[1]);
    const uint32_t value = read(operands[2])[0];
    uint32_t old = 0;
    if (operands[0].kind == Kind::Group) {
      old = shared(operands[0]).change(at[0], at[1], by(), how, value);
    } else {
      const CheckedView& view = viewOf(operands[0]);
      old = view.memory->change(view.placeOf(at[0]), how, value);
    }
    if (returns) write(instruction.operands[0], {old, old, old, old});
  }

  void runToBarrier() {
    Thread& thread = *thread_;
    for (;;) {
      if (thread.at >= program_.instructions.size()) {
        thread.ended = true;
        return;
      }
      const Instruction& instruction = program_.instructions[thread.at++];
      if (++thread.instructions > kMostInstructions) throw Misbehaviour("a loop without end");
      const auto& operands = instruction.operands;
      const auto holds = [&] { return (read(operands[0])[0] != 0) == instruction.ifNonzero; };
      switch (instruction.op) {
        case Op::Sync:
          if (instruction.joinsGroup) return;
          break;
        case Op::Ret:
          thread.ended = true;
          return;
        case Op::RetIf:
          if (!holds()) break;
          thread.ended = true;
          return;
        case Op::If:
          if (!holds()) thread.at = instruction.target;
          break;
        case Op::Else:  // reached from the end of the block before it: jump past its EndIf
        case Op::EndLoop:
        case Op::Break:
        case Op::Continue:
          thread.at = instruction.target;
          break;
        case Op::BreakIf:
        case Op::ContinueIf:
          if (holds()) thread.at = instruction.target;
          break;
        case Op::Loop:
        case Op::EndIf:
        case Op::Nop:
          break;
        default:
          calculate(instruction);
      }
    }
  }

  void calculate(const Instruction& instruction) {
    using U = uint32_t;
    using S = int32_t;
    const auto& operands = instruction.operands;
    switch (instruction.op) {
      case Op::Mov:
        return each(instruction, [](U a, U, U) { return a; });
      case Op::MovC:
        return each(instruction, [](U a, U b, U c) { return a != 0 ? b : c; });
      case Op::IAdd:
        return each(instruction, [](U a, U b, U) { return a + b; });
      case Op::INeg:
        return each(instruction, [](U a, U, U) { return 0 - a; });
      case Op::IMad:
      case Op::UMad:
        return each(instruction, [](U a, U b, U c) { return a * b + c; });
      case Op::And:
        return each(instruction, [](U a, U b, U) { return a & b; });
      case Op::Or:
        return each(instruction, [](U a, U b, U) { return a | b; });
      case Op::Xor:
        return each(instruction, [](U a, U b, U) { return a ^ b; });
      case Op::Not:
        return each(instruction, [](U a, U, U) { return ~a; });
      case Op::IShl:
        return each(instruction, [](U a, U b, U) { return a << (b & 31); });
      case Op::UShr:
        return each(instruction, [](U a, U b, U) { return a >> (b & 31); });
      case Op::IShr:
        return each(instruction, [](U a, U b, U) { return U(S(a) >> (b & 31)); });
      case Op::ULt:
        return each(instruction, [](U a, U b, U) { return a < b ? ~0u : 0; });
      case Op::UGe:
        return each(instruction, [](U a, U b, U) { return a >= b ? ~0u : 0; });
      case Op::IEq:
        return each(instruction, [](U a, U b, U) { return a == b ? ~0u : 0; });
      case Op::INe:
        return each(instruction, [](U a, U b, U) { return a != b ? ~0u : 0; });
      case Op::ILt:
        return each(instruction, [](U a, U b, U) { return S(a) < S(b) ? ~0u : 0; });
      case Op::IGe:
        return each(instruction, [](U a, U b, U) { return S(a) >= S(b) ? ~0u : 0; });
      case Op::UMin:
        return each(instruction, [](U a, U b, U) { return std::min(a, b); });
      case Op::UMax:
        return each(instruction, [](U a, U b, U) { return std::max(a, b); });
      case Op::IMin:
        return each(instruction, [](U a, U b, U) { return U(std::min(S(a), S(b))); });
      case Op::IMax:
        return each(instruction, [](U a, U b, U) { return U(std::max(S(a), S(b))); });
      case Op::CountBits:
        return each(instruction, [](U a, U, U) { return static_cast<U>(std::popcount(a)); });
      case Op::FirstBitLow:
        return each(instruction, [](U a, U, U) { return a == 0 ? ~0u : U(std::countr_zero(a)); });
      case Op::BfRev:
        return each(instruction, [](uint32_t a, uint32_t, uint32_t) {
          uint32_t reversed = 0;
          for (int i = 0; i < 32; ++i) reversed |= (a >> i & 1) << (31 - i);
          return reversed;
        });
      case Op::UBfe:
        return each(instruction, [](uint32_t width, uint32_t offset, uint32_t value) {
          width &= 31;
          offset &= 31;
          return value >> offset & ((1u << width) - 1);
        });
      case Op::Bfi: {
        const Value width = read(operands[1]);
        const Value offset = read(operands[2]);
        const Value inserted = read(operands[3]);
        Value result = read(operands[4]);
        for (int i = 0; i < 4; ++i) {
          const uint32_t mask = ((1u << (width[i] & 31)) - 1) << (offset[i] & 31);
          result[i] = (inserted[i] << (offset[i] & 31) & mask) | (result[i] & ~mask);
        }
        return write(operands[0], result);
      }
      case Op::UDiv:
      case Op::UMul:
      case Op::IMul: {
        const Value a = read(operands[2]);
        const Value b = read(operands[3]);
        Value first;
        Value second;
        for (int i = 0; i < 4; ++i) {
          const uint64_t product = uint64_t{a[i]} * b[i];
          const bool divides = instruction.op == Op::UDiv;
          first[i] = !divides    ? static_cast<uint32_t>(product >> 32)
                     : b[i] != 0 ? a[i] / b[i]
                                 : ~0u;
          second[i] = !divides ? static_cast<uint32_t>(product) : b[i] != 0 ? a[i] % b[i] : ~0u;
        }
        if (instruction.op == Op::IMul && operands[0].kind != Kind::Null) break;
        write(operands[0], first);
        return write(operands[1], second);
      }
      case Op::SwapC: {
        const Value condition = read(operands[2]);
        const Value a = read(operands[3]);
        const Value b = read(operands[4]);
        Value first;
        Value second;
        for (int i = 0; i < 4; ++i) {
          first[i] = condition[i] != 0 ? b[i] : a[i];
          second[i] = condition[i] != 0 ? a[i] : b[i];
        }
        write(operands[0], first);
        return write(operands[1], second);
      }
      case Op::Ld:
      case Op::LdUavTyped: {
        const CheckedView& view = viewOf(operands[2]);
        const uint64_t place = view.placeOfTexel(read(operands[1])[0], true);
        Value texel;
        for (int i = 0; i < 4; ++i) {
          texel[i] =
              place == kNowhere
                  ? kNothing
                  : view.memory->load(place + uint64_t{4} * operands[2].components[i], threadId());
        }
        return write(operands[0], texel);
      }
      case Op::StoreUavTyped: {
        const CheckedView& view = viewOf(operands[0]);
        const uint64_t place = view.placeOfTexel(read(operands[1])[0]);
        const Value texel = read(operands[2]);
        for (uint64_t i = 0; i < 4; ++i) view.memory->store(place + 4 * i, threadId(), texel[i]);
        return;
      }
      case Op::LdRaw: {
        const uint32_t address = read(operands[1])[0];
        return loadEach(instruction, operands[2], [&](uint32_t byte) {
          const uint32_t at = address + byte;
          if (operands[2].kind == Kind::Group) {
            return shared(operands[2]).load(at / 4, at % 4, by());
          }
          const CheckedView& view = viewOf(operands[2]);
          return view.load(view.placeOf(at, true), threadId());
        });
      }
      case Op::StoreRaw: {
        const uint32_t address = read(operands[1])[0];
        return storeEach(operands[0], read(operands[2]), [&](uint32_t byte, uint32_t value) {
          const uint32_t at = address + byte;
          if (operands[0].kind == Kind::Group) {
            return shared(operands[0]).store(at / 4, at % 4, by(), value);
          }
          const CheckedView& view = viewOf(operands[0]);
          view.memory->store(view.placeOf(at), threadId(), value);
        });
      }
      case Op::LdStructured: {
        const uint32_t element = read(operands[1])[0];
        const uint32_t first = read(operands[2])[0];
        return loadEach(instruction, operands[3], [&](uint32_t byte) {
          return shared(operands[3]).load(element, first + byte, by());
        });
      }
      case Op::StoreStructured: {
        const uint32_t element = read(operands[1])[0];
        const uint32_t first = read(operands[2])[0];
        return storeEach(operands[0], read(operands[3]), [&](uint32_t byte, uint32_t value) {
          shared(operands[0]).store(element, first + byte, by(), value);
        });
      }
      case Op::AtomicIAdd:
      case Op::ImmAtomicIAdd:
        return change(instruction, [](U a, U b) { return a + b; });
      case Op::AtomicAnd:
      case Op::ImmAtomicAnd:
        return change(instruction, [](U a, U b) { return a & b; });
      case Op::AtomicOr:
      case Op::ImmAtomicOr:
        return change(instruction, [](U a, U b) { return a | b; });
      default:
        break;
    }
    throw std::runtime_error(fmt::format("instruction {}", static_cast<int>(instruction.op)));
  }

  const Program& program_;
  const Dispatch& dispatch_;
  Value id_;
  uint32_t phase_ = 0;
  std::vector<Thread> threads_;
  Thread* thread_ = nullptr;
  std::vector<GroupArray> shared_;
};

}  // namespace

uint64_t execute(const Program& program, const Dispatch& dispatch) {
  const uint32_t count = dispatch.groupsX * dispatch.groupsY;
  std::list<Group> groups;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t number = dispatch.schedule.forwards ? i : count - 1 - i;
    groups.emplace_back(program, dispatch, number % dispatch.groupsX, number / dispatch.groupsX);
  }
  uint64_t instructions = 0;
  for (bool first = true; !groups.empty(); first = false) {
    groups.remove_if([&](Group& group) {
      const bool ended = group.run(first ? group.firstBarriers() : 1);
      if (ended) instructions += group.instructions();
      return ended;
    });
  }
  return instructions;
}

}  // namespace dmlcts::gpu::test
