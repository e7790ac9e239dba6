/** How large a forwarded mail may be. In a file of its own: who asks has no need of what reads mails. */
export const MAX_MAIL_BYTES = 10 * 1024 * 1024;
/** What is read of a mail's text, and of its HTML; an honest confirmation has a tenth of it. */
export const MAX_TEXT = 256 * 1024;
