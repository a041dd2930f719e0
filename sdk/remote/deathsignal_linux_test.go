package remote_test

// hasDeathSignal: the kernel kills children whose parent has died.
const hasDeathSignal = true
