/**
 * Kept mail as others than its reader may see it: what a link or a code opens is taken out. Pure. A host who could read
 * the guest's code or the guest's link could sign in the guest's place, and the evidence would prove nothing against him.
 */

export interface MailContent {
  subject: string;
  html: string;
  text: string;
}

export const MASK = '••••••';

/** Long runs of a token's alphabet in an address; ids of ours (`res_…`) open nothing and stay readable. */
const TOKEN_IN_URL = /([/=.])(?!(?:[a-z]{2,5}_)[0-9a-z]{26}(?![\w-]))[\w-]{20,}/g;
const URL = /https?:\/\/[^\s"'<>]{1,4000}/g;
const CODE = /\b\d{6}\b/g;

/** The mail without its secrets. Masking twice changes nothing. */
export function maskSecrets(mail: MailContent, template: string): MailContent {
  const mask = (text: string) => {
    const masked = text.replace(URL, (url) => url.replace(TOKEN_IN_URL, `$1${MASK}`));
    return template === 'one_time_code' ? masked.replace(CODE, MASK) : masked;
  };
  return { subject: mask(mail.subject), html: mask(mail.html), text: mask(mail.text) };
}
