/**
 * The maximum size of a forwarded mail. This file is separate, so that the HTTP entry does not load
 * the parser.
 */
export const MAX_MAIL_BYTES = 10 * 1024 * 1024;
/**
 * The maximum number of characters that are read from a mail's text part, and from its HTML part. A
 * normal confirmation has a tenth of this number.
 */
export const MAX_MAIL_PART_TEXT_LENGTH = 256 * 1024;
