/**
 * Isolates a value in right-to-left text (FSI, PDI), so that a Latin name or a date keeps its own
 * order and does not affect the text around it.
 */
export const wrapInBidiIsolate = (value: string): string => `\u2068${value}\u2069`;
