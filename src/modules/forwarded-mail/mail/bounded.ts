/**
 * A raw message no larger than what a reader takes in a moment. Bytes alone do not say: ten megabytes of line ends, or of
 * boundaries, are millions of lines and parts. Pure.
 */
import { stripAttachments } from './strip-attachments';

/** Ten megabytes of base64 are fewer lines. */
const MAX_LINES = 150_000;
/** Without its attachments, a long confirmation in text and HTML is a thousand; the parser takes some 10 µs for each. */
const MAX_LINES_OF_TEXT = 20_000;
/** Lines that may begin or end a part: an honest mail has some dozens. */
const MAX_BOUNDARIES = 1_000;

const [LINE_FEED, DASH] = [0x0a, 0x2d];

/** The message with its attachments, up to the first line that is one too many. */
export const boundedLines = (raw: Uint8Array): Uint8Array => upTo(MAX_LINES, raw);

/** The message without its attachments, up to the first line that is one too many. */
export const boundedMessage = (raw: Uint8Array): Uint8Array =>
  upTo(MAX_LINES_OF_TEXT, stripAttachments(upTo(MAX_LINES, raw)));

function upTo(max_lines: number, raw: Uint8Array): Uint8Array {
  let lines = 0;
  let boundaries = 0;
  let at = 0;
  do {
    if (raw[at] === DASH && raw[at + 1] === DASH) boundaries += 1;
    lines += 1;
    if (lines > max_lines || boundaries > MAX_BOUNDARIES) return raw.subarray(0, at);
    at = raw.indexOf(LINE_FEED, at) + 1;
  } while (at > 0);
  return raw;
}
