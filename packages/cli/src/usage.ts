/** An invalid command line. The message is printed on stderr and the exit status is 2. */
export class UsageError extends Error {}

/** An expected failure. The message is printed on stderr and the exit status is 1. */
export class Failure extends Error {}
