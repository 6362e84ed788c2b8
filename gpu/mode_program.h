#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/program.h"
#include "gpu/target.h"

// An execution mode as a program: the calls that execute a request's operator in its modes.

namespace dmlcts::gpu {

class ModeProgram {
 public:
  enum class Reads : uint8_t { All, Outputs };

  // Lends the request's bytes. The operator is created already, and needs a temporary of so many
  // bytes. `mutant`: the deliberate fault, or null. The answer has what is read: Outputs is for the
  // ordinary mode alone.
  ModeProgram(const Request& request, uint64_t temporaryBytes, const ModeMutant* mutant,
              Reads reads = Reads::All);

  // Returns why a mode cannot execute the request, or "".
  static std::string whyNot(const Request& request);

  const Program& calls() const { return program_; }

  // Returns the answer to the request, made from the program's. Failed if something was written
  // beside a tight temporary.
  Answer answer(Answer executed) const;

 private:
  // The places of one table's images, inputs first, and of its temporary.
  struct Table {
    std::vector<Place> images;
    std::optional<Place> temporary;  // without guards; none if the table has its own
  };

  bool has(Mode mode) const { return request_.modes.has(mode); }
  bool isWrong(Mode mode) const { return has(mode) && does(mutant_, mode); }
  void add(Call call) { program_.calls.push_back(std::move(call)); }
  uint32_t buffer(uint64_t bytes, std::optional<uint64_t> heapOffset = {});
  void arrange(Table& table);
  void bind(uint32_t number);
  void execute(uint32_t table, uint32_t queue);
  void executeAll(uint32_t queue);
  void makeOriginal();
  void keepImages(uint32_t kept, uint32_t queue);
  void poison(uint32_t table, size_t image, uint32_t queue);
  void poisonOutputs(uint32_t queue);
  void read(uint32_t table);
  std::string overrun(const std::vector<uint8_t>& temporary) const;

  const Request& request_;
  const ModeMutant* mutant_;
  size_t firstRead_;  // image
  Program program_;
  std::vector<const BufferImage*> images_;  // inputs first
  std::vector<uint64_t> staged_;            // start of each image in a buffer that has all
  uint64_t imageBytes_ = 0;                 // of such a buffer
  uint64_t temporaryBytes_;
  uint64_t guard_;  // on each side of the temporary
  std::vector<Table> tables_;
  uint32_t buffers_ = 0;
  uint32_t original_ = 0;       // a buffer of the images' first content
  std::vector<uint32_t> kept_;  // such buffers, of the images after early executions
};

}  // namespace dmlcts::gpu
