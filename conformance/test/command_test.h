#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/test/test_folder.h"

namespace dmlcts {

// Runs dmlcts as a process, in the test's own folder.
class CommandTest : public testing::Test {
 protected:
  struct Outcome {
    int status = 0;
    std::string out;
    std::string err;
  };

  // `arguments` are shell words.
  Outcome dmlcts(const std::string& arguments) const {
    const std::string command = "cd " + folder_.path().string() + " && " DMLCTS_COMMAND " " +
                                arguments + " >stdout.txt 2>stderr.txt";
    const int status = WEXITSTATUS(std::system(command.c_str()));
    return {status, read("stdout.txt"), read("stderr.txt")};
  }

  std::string read(const std::string& name) const { return readText(folder_.path() / name); }
  nlohmann::json json(const std::string& name) const { return nlohmann::json::parse(read(name)); }

  TestFolder folder_;
};

}  // namespace dmlcts
