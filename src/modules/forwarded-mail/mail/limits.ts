/**
 * The maximum size of a forwarded mail. It is in a separate file, so that the HTTP entry loads no
 * parser.
 */
export const MAX_MAIL_BYTES = 10 * 1024 * 1024;
/**
 * The most characters read of a mail's text, and of its HTML. A normal confirmation has a tenth of
 * it.
 */
export const MAX_TEXT = 256 * 1024;
