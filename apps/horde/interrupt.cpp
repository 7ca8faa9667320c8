#include "interrupt.h"

#include <csignal>

namespace horde {
namespace {

volatile std::sig_atomic_t noted_signal = 0;

void note(int signal) {
    noted_signal = signal;
}

}  // namespace

void catch_interrupts() {
    struct sigaction action = {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGXFSZ, SIG_IGN);  // a file over the size limit is an error of the write, not the end of us
}

int interrupt_signal() {
    return noted_signal;
}

}  // namespace horde
