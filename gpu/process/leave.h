#pragma once

// Ends a worker's process so that the harness notices at once.

namespace dmlcts::gpu {

// Makes an unhandled Windows exception, such as a driver's fault, end the process with its code and
// a line on stderr. Prevents dialogs and waiting debuggers (Wine's). Does nothing elsewhere, where
// signals end the process.
void installCrashHandler();

// Flushes the output and ends the process with this status. On Windows does not unload libraries,
// which would crash some drivers (llvmpipe under Wine).
[[noreturn]] void leave(int status);

}  // namespace dmlcts::gpu
