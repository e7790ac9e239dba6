/**
 * Cuts a raw message to a size that the parser can process quickly. A limit in bytes is not enough,
 * because ten megabytes of line feeds or boundaries are millions of lines and parts. Pure.
 */
import { stripAttachments } from './strip-attachments';

/**
 * The maximum number of lines of a message including its attachments. Ten megabytes of base64 have
 * fewer lines.
 */
const MAX_LINES = 150_000;
/**
 * The maximum number of lines of a message without its attachments. A long confirmation has about a
 * thousand lines. The parser needs 10 µs per line.
 */
const MAX_LINES_OF_TEXT = 20_000;
/** The maximum number of lines that may begin or end a MIME part. A normal mail has dozens. */
const MAX_BOUNDARIES = 1_000;

const [LINE_FEED, DASH] = [0x0a, 0x2d];

/** Returns the message with its attachments, cut at the line limit. */
export const truncateMailToMaxLines = (raw: Uint8Array): Uint8Array => upTo(MAX_LINES, raw);

/** Returns the message without its attachments, cut at the line limit. */
export const removeAttachmentsAndTruncateMail = (raw: Uint8Array): Uint8Array =>
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
