#pragma once

// How a worker's process ends, so that the harness hears of it at once.

namespace dmlcts::gpu {

// From now on an unhandled exception of Windows, a driver's fault above all, ends the process with
// the exception's code, a line on stderr telling where: no dialog, and no debugger that attaches
// and waits, as Wine's would. Elsewhere a fault is a signal, which does all that by itself.
void crashAtOnce();

// Ends the process with this status once all that was printed is written. On Windows without
// unloading libraries, which some drivers do not survive (llvmpipe under Wine).
[[noreturn]] void leave(int status);

}  // namespace dmlcts::gpu
