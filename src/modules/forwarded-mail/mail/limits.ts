/**
 * The maximum size of a forwarded mail. This file is separate, so that the HTTP entry does not load
 * the parser.
 */
export const MAX_MAIL_BYTES = 10 * 1024 * 1024;
/**
 * The number of characters that are read of a mail's text, and of its HTML. A normal confirmation
 * has a tenth of that.
 */
export const MAX_TEXT = 256 * 1024;
