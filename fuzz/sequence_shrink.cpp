#include "fuzz/sequence_generator.h"

#include <algorithm>
#include <unordered_set>

#include "conformance/cases/tiers/simpler.h"
#include "conformance/run/judging/program_model.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using gpu::CallKind;
using gpu::Place;
using gpu::SequenceCall;

// Drops calls that are no longer valid, repeatedly. A reset of a table that no longer exists
// becomes a bind.
Program closed(Program program) {
  std::vector<SequenceCall> calls = std::move(program.calls);
  program.calls.clear();
  ProgramModel model(program, Strictness::Documents);
  for (SequenceCall& call : calls) {
    if (call.kind == CallKind::Reset && !model.hasTable(call.object)) call.kind = CallKind::Bind;
    if (model.make(call).empty()) program.calls.push_back(std::move(call));
  }
  return program;
}

// Drops operators and buffers that no call needs, and numbers the others as calls first name them:
// simplifyCall() merges operators into earlier ones.
Program compacted(Program program) {
  std::vector<uint32_t> operators;
  std::vector<uint32_t> buffers;
  const auto name = [](std::vector<uint32_t>& named, uint32_t number) {
    if (std::ranges::find(named, number) == named.end()) named.push_back(number);
  };
  for (const SequenceCall& call : program.calls) {
    if (call.kind == CallKind::Create) name(operators, call.object);
    for (const auto* places : {&call.from, &call.to}) {
      for (const Place& place : *places) name(buffers, place.buffer);
    }
  }
  for (const uint32_t buffer : buffers) {
    for (const Program::Content& content : program.buffers[buffer].contents) {
      name(operators, content.op);
    }
  }
  const auto renumber = [](const std::vector<uint32_t>& kept, auto& all) {
    std::vector<uint32_t> numbers(all.size());
    auto old = std::move(all);
    all.clear();
    for (const uint32_t number : kept) {
      numbers[number] = static_cast<uint32_t>(all.size());
      all.push_back(std::move(old[number]));
    }
    return numbers;
  };
  const auto operatorNumbers = renumber(operators, program.operators);
  const auto bufferNumbers = renumber(buffers, program.buffers);
  for (Program::Buffer& buffer : program.buffers) {
    for (Program::Content& content : buffer.contents) content.op = operatorNumbers[content.op];
  }
  for (SequenceCall& call : program.calls) {
    const bool named = call.kind == CallKind::Create || call.kind == CallKind::Compile ||
                       call.kind == CallKind::Release;
    if (named) call.object = operatorNumbers[call.object];
    for (uint32_t& op : call.operators) op = operatorNumbers[op];
    for (auto* places : {&call.from, &call.to}) {
      for (Place& place : *places) place.buffer = bufferNumbers[place.buffer];
    }
  }
  return program;
}

// False if a buffer is too small: a simpler operator may have larger tensors.
bool holdsContents(const Program& program) {
  return std::ranges::all_of(program.buffers, [&](const Program::Buffer& buffer) {
    return std::ranges::all_of(buffer.contents, [&](const Program::Content& content) {
      const auto slots = tensors(program.operators[content.op].descriptor);
      return content.at + slots[content.slot].desc->totalBytes <= buffer.bytes;
    });
  });
}

class Shrinker {
 public:
  Shrinker(const Program& program, const std::function<bool(const Program&)>& stillFails,
           int budget)
      : stillFails_(stillFails), budget_(budget), shrunk_{program, 0, 0} {}

  ShrunkProgram run() {
    for (bool improved = true; improved && shrunk_.tries < budget_;) {
      improved = leaveOutCalls();
      improved = oneByOne(&Shrinker::simplifyCall) || improved;
      improved = leaveOutMemory() || improved;
      improved = plainerOperators() || improved;
    }
    return std::move(shrunk_);
  }

 private:
  const Program& smallest() const { return shrunk_.smallest; }

  bool take(Program candidate) {
    if (!holdsContents(candidate)) return false;
    candidate = compacted(closed(std::move(candidate)));
    if (candidate == smallest() || shrunk_.tries >= budget_) return false;
    if (!seen_.insert(programText(candidate)).second) return false;
    ++shrunk_.tries;
    if (!stillFails_(candidate)) return false;
    ++shrunk_.steps;
    shrunk_.smallest = std::move(candidate);
    return true;
  }

  bool leaveOutCalls() {
    bool improved = false;
    for (size_t size = std::max<size_t>(1, smallest().calls.size() / 2);; size /= 2) {
      // From the end: few calls depend on late ones.
      for (size_t end = smallest().calls.size(); end > 0;) {
        Program without = smallest();
        const size_t begin = end > size ? end - size : 0;
        without.calls.erase(without.calls.begin() + static_cast<ptrdiff_t>(begin),
                            without.calls.begin() + static_cast<ptrdiff_t>(end));
        if (take(std::move(without))) {
          improved = true;
          end = std::min(begin, smallest().calls.size());
        } else {
          end = begin;
        }
      }
      if (size == 1) return improved;
    }
  }

  bool oneByOne(bool (Shrinker::*plainer)(size_t)) {
    bool improved = false;
    for (size_t i = 0; i < smallest().calls.size(); ++i) {
      improved = (this->*plainer)(i) || improved;
    }
    return improved;
  }

  // Simplifies a call: first queue, one operator, another call's tensors, less memory.
  bool simplifyCall(size_t index) {
    const SequenceCall call = smallest().calls[index];
    const auto with = [&](const SequenceCall& other) {
      Program changed = smallest();
      changed.calls[index] = other;
      return take(std::move(changed));
    };
    SequenceCall other = call;
    if (call.queue != 0) {
      other.queue = 0;
      if (with(other)) return true;
    }
    if (call.kind == CallKind::Initialize && call.operators.size() > 1) {
      other.operators.pop_back();
      return with(other);
    }
    if (call.kind == CallKind::Memory && call.bytes > 1) {
      other.bytes /= 2;
      return with(other);
    }
    if (call.kind == CallKind::Execute) return replaceExecuteByCopy(index);
    if (call.kind != CallKind::Bind && call.kind != CallKind::Reset) return false;
    for (size_t i = 0; i < index; ++i) {
      const SequenceCall& earlier = smallest().calls[i];
      if ((earlier.kind != CallKind::Bind && earlier.kind != CallKind::Reset) ||
          earlier.operators.front() >= call.operators.front()) {
        continue;
      }
      other = call;
      other.operators = earlier.operators;
      if (with(other)) return true;
      other.from = earlier.from;
      if (other.to.size() == earlier.to.size() && with(other)) return true;
      other.to = earlier.to;
      if (with(other)) return true;
    }
    return false;
  }

  // Replaces an execution by a 4-byte copy into its first output.
  bool replaceExecuteByCopy(size_t index) {
    const SequenceCall& call = smallest().calls[index];
    for (size_t i = index; i-- > 0;) {
      const SequenceCall& bound = smallest().calls[i];
      if (bound.object != call.object || bound.to.empty() || bound.kind == CallKind::Copy) continue;
      for (uint32_t from = 0; from < smallest().buffers.size(); ++from) {
        Program changed = smallest();
        const Place to = bound.to.front();
        changed.calls[index] = {CallKind::Copy, 0, call.queue, 4, {}, {{from, 0}}, {to}, {}};
        if (from != to.buffer && take(std::move(changed))) return true;
      }
      return false;
    }
    return false;
  }

  bool leaveOutMemory() {
    bool improved = false;
    for (size_t i = 0; i < smallest().buffers.size(); ++i) {
      for (size_t k = smallest().buffers[i].contents.size(); k-- > 0;) {
        Program without = smallest();
        auto& contents = without.buffers[i].contents;
        if (k < contents.size()) contents.erase(contents.begin() + static_cast<ptrdiff_t>(k));
        improved = take(std::move(without)) || improved;
        if (i >= smallest().buffers.size()) return improved;
      }
      // Shortens the buffer to the end of its bindings and copies.
      Program tight = smallest();
      uint64_t end = 16;
      for (const Program::Content& content : tight.buffers[i].contents) {
        const auto slots = tensors(tight.operators[content.op].descriptor);
        end = std::max(end, content.at + slots[content.slot].desc->totalBytes);
      }
      for (const SequenceCall& call : tight.calls) {
        end = std::max(end, endIn(tight, call, static_cast<uint32_t>(i)));
      }
      tight.buffers[i].bytes = std::min(tight.buffers[i].bytes, (end + 15) / 16 * 16);
      improved = take(std::move(tight)) || improved;
    }
    return improved;
  }

  // Returns the end of the bytes that the call needs of a buffer.
  static uint64_t endIn(const Program& program, const SequenceCall& call, uint32_t buffer) {
    uint64_t end = 0;
    for (const auto* places : {&call.from, &call.to}) {
      for (size_t i = 0; i < places->size(); ++i) {
        const Place& place = (*places)[i];
        if (place.buffer != buffer) continue;
        uint64_t bytes = call.bytes;
        // Any operator's table may be rebound.
        for (const Case& each : program.operators) {
          if (call.kind == CallKind::Copy) break;
          for (const TensorSlot& slot : tensors(each.descriptor)) {
            bytes = std::max(bytes, slot.desc->totalBytes);
          }
        }
        end = std::max(end, place.offset + bytes);
      }
    }
    return end;
  }

  bool plainerOperators() {
    bool improved = false;
    for (size_t i = 0; i < smallest().operators.size(); ++i) {
      for (bool again = true; again;) {
        again = false;
        for (Case& simpler : simplerCases(smallest().operators[i])) {
          Program changed = smallest();
          // Changes all identical operators, so that they stay identical.
          for (Case& each : changed.operators) {
            if (each == smallest().operators[i] && &each != &changed.operators[i]) each = simpler;
          }
          changed.operators[i] = std::move(simpler);
          if (!holdsContents(changed) || closed(changed).calls.size() != smallest().calls.size()) {
            continue;
          }
          if (!take(std::move(changed))) continue;
          improved = again = true;
          break;
        }
        if (i >= smallest().operators.size()) return improved;
      }
    }
    return improved;
  }

  const std::function<bool(const Program&)>& stillFails_;
  int budget_;
  ShrunkProgram shrunk_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

ShrunkProgram shrink(const Program& program, const std::function<bool(const Program&)>& stillFails,
                     int budget) {
  return Shrinker(program, stillFails, budget).run();
}

}  // namespace dmlcts
