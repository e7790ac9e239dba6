/** What was typed wrongly: told on stderr, with exit code 2. */
export class UsageError extends Error {}

/** What went wrong in a way that is no bug: told on stderr, with exit code 1. */
export class Failure extends Error {}
