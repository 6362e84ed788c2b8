#pragma once

#include "conformance/families/case_list.h"
#include "conformance/families/rejections/broken.h"
#include "conformance/language/build.h"

// The family parts of NONZERO_COORDINATES, each defined in its family's file.

namespace dmlcts {

void addNonzeroDocuments(CaseList& list, Level level);
std::vector<BreakableDescriptor> breakableNonzero(DataType type, uint32_t rank, Level level);
std::vector<Descriptor> nonzeroBorderControls(DataType type, Level level);
void addNonzeroLevels(CaseList& list, DataType type);

}  // namespace dmlcts
