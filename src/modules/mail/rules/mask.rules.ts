/**
 * Masks links and codes in stored mail. A host who could read a guest's code or link could sign in
 * the guest's place, and a signature would prove nothing. Pure.
 */

export interface OutgoingMailContent {
  subject: string;
  html: string;
  text: string;
}

export const SECRET_MASK = '••••••';

/** Matches long tokens in a URL, but not ids like `res_…`, which grant no access. */
const TOKEN_IN_URL = /([/=.])(?!(?:[a-z]{2,5}_)[0-9a-z]{26}(?![\w-]))[\w-]{20,}/g;
const URL = /https?:\/\/[^\s"'<>]{1,4000}/g;
const CODE = /\b\d{6}\b/g;

/** Returns the mail with its links and codes masked. Masking a masked mail changes nothing. */
export function maskMailLinksAndCodes(mail: OutgoingMailContent, template: string): OutgoingMailContent {
  const mask = (text: string) => {
    const masked = text.replace(URL, (url) => url.replace(TOKEN_IN_URL, `$1${SECRET_MASK}`));
    return template === 'one_time_code' ? masked.replace(CODE, SECRET_MASK) : masked;
  };
  return { subject: mask(mail.subject), html: mask(mail.html), text: mask(mail.text) };
}
