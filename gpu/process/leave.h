#pragma once

// How a worker's process ends, so that the harness notices at once.

namespace dmlcts::gpu {

// From now on an unhandled exception of Windows, a driver's fault above all, ends the process with
// the exception's code, a line on stderr saying where: no dialog, and no debugger that attaches
// and waits, as Wine's would. Elsewhere a fault is a signal, which does all that by itself.
void crashAtOnce();

// Flushes the output and ends the process with this status. On Windows without
// unloading libraries, which some drivers do not survive (llvmpipe under Wine).
[[noreturn]] void leave(int status);

}  // namespace dmlcts::gpu
