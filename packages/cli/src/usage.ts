/** An invalid command line: printed on stderr, with exit status 2. */
export class UsageError extends Error {}

/** An expected failure: printed on stderr, with exit status 1. */
export class Failure extends Error {}
