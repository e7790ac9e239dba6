/**
 * A raw message no larger than what a reader takes in a moment. Bytes alone do not say: ten megabytes of line ends, or of
 * boundaries, are millions of lines and parts. Pure.
 */

/** Ten megabytes of base64 are fewer lines. */
const MAX_LINES = 150_000;
/** Lines that may begin or end a part: an honest mail has some dozens. */
const MAX_BOUNDARIES = 1_000;

const [LINE_FEED, DASH] = [0x0a, 0x2d];

/** The message up to the first line that is one too many. */
export function boundedMessage(raw: Uint8Array): Uint8Array {
  let lines = 0;
  let boundaries = 0;
  let at = 0;
  do {
    if (raw[at] === DASH && raw[at + 1] === DASH) boundaries += 1;
    lines += 1;
    if (lines > MAX_LINES || boundaries > MAX_BOUNDARIES) return raw.subarray(0, at);
    at = raw.indexOf(LINE_FEED, at) + 1;
  } while (at > 0);
  return raw;
}
