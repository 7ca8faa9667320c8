/// Ctrl-C as a wish to stop, not as an end.
#pragma once

namespace horde {

/// From now on the first Ctrl-C (or SIGTERM) is only noted; the second ends the program as ever.
void catch_interrupts();

/// The signal that was noted, or 0. A program that it stopped exits with 128 + the signal: 130 for Ctrl-C.
int interrupt_signal();

}  // namespace horde
