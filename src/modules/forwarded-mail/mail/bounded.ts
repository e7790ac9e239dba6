/**
 * Limits a raw message to a size that a parser handles quickly. A byte limit is not enough: ten
 * megabytes of line feeds or boundaries are millions of lines and parts. Pure.
 */
import { stripAttachments } from './strip-attachments';

/** More than the lines of ten megabytes of base64. */
const MAX_LINES = 150_000;
/**
 * The limit without attachments. A long confirmation has a thousand lines, and the parser takes 10
 * µs for each.
 */
const MAX_LINES_OF_TEXT = 20_000;
/** The limit of lines that may begin or end a part. A normal mail has some dozens. */
const MAX_BOUNDARIES = 1_000;

const [LINE_FEED, DASH] = [0x0a, 0x2d];

/** Returns the message with its attachments, cut at the line limit. */
export const limitLines = (raw: Uint8Array): Uint8Array => upTo(MAX_LINES, raw);

/** Returns the message without its attachments, cut at the line limit. */
export const limitMessage = (raw: Uint8Array): Uint8Array =>
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
