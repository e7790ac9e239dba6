/** The content of stored mail, encrypted because mails contain links and codes. */
import { getAppSecret } from '@/config';
import { decryptBytes, encryptBytes } from '@/infra/encryption';
import { type MailContent, maskSecrets } from './rules/mask.rules';

const PURPOSE = 'mail';

export function sealContent({ subject, html, text }: MailContent): Uint8Array<ArrayBuffer> {
  return encryptBytes(getAppSecret(), PURPOSE, Buffer.from(JSON.stringify({ subject, html, text })));
}

export interface StoredMail {
  subject: string;
  /** Null once it has expired. */
  content: Uint8Array | null;
}

/**
 * Returns the mail as it was rendered, with its secrets, for sending and for test-mode previews.
 */
export function openContent({ content, subject }: StoredMail): MailContent {
  if (!content) return { subject, html: '', text: '' };
  return JSON.parse(decryptBytes(getAppSecret(), PURPOSE, content).toString('utf8')) as MailContent;
}

/**
 * Returns the mail as a host may see it. Test-mode mail keeps its links, which testers need and
 * which prove nothing.
 */
export function getShownContent(row: StoredMail & { template: string; mode: string | null }): MailContent {
  const content = openContent(row);
  return row.mode === 'test' ? content : maskSecrets(content, row.template);
}
