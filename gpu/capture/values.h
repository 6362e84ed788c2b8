#pragma once

#include <memory>

#include "gpu/capture/descriptor.h"
#include "gpu/directml/abi.h"

// Values of single operators' dispatches, if DMLCTS_CAPTURE_VALUES or DMLCTS_CAPTURE_CHECK is 1.
// Copies them on the application's command list, and reads them when that was executed.

namespace dmlcts::gpu {

// True if either variable is set.
bool recordsValues();

// Lets the values of dispatches on this device be recorded.
void recordValuesOf(ID3D12Device* device);

// Remembers what a table binds.
void rememberTable(dml::BindingTable* table);

// The copies of one dispatch's tensors.
class ValueCopies;

// Appends the copies of the inputs to the list. Returns null, with a remark in the log, if the
// dispatch's values cannot be recorded.
std::shared_ptr<ValueCopies> copyInputs(std::shared_ptr<const RecordedOperator> op,
                                        ID3D12CommandList* list, dml::BindingTable* table);

// Appends the copies of the outputs, behind the dispatch.
void copyOutputs(const std::shared_ptr<ValueCopies>& copies);

}  // namespace dmlcts::gpu
