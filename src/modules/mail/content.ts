/** Encrypts the content of stored mails, because mails contain links and codes. */
import { getAppSecret } from '@/config';
import { decryptBytes, encryptBytes } from '@/infra/encryption';
import { maskMailLinksAndCodes, type OutgoingMailContent } from './rules/mask.rules';

const PURPOSE = 'mail';

export function encryptMailContent({ subject, html, text }: OutgoingMailContent): Uint8Array<ArrayBuffer> {
  return encryptBytes(getAppSecret(), PURPOSE, Buffer.from(JSON.stringify({ subject, html, text })));
}

export interface StoredMailContent {
  subject: string;
  /** The encrypted content. Null after it was cleared. */
  content: Uint8Array | null;
}

/**
 * Decrypts a mail as it was rendered, with its links and codes. Used for sending and for test-mode
 * previews.
 */
export function decryptMailContent({ content, subject }: StoredMailContent): OutgoingMailContent {
  if (!content) return { subject, html: '', text: '' };
  return JSON.parse(decryptBytes(getAppSecret(), PURPOSE, content).toString('utf8')) as OutgoingMailContent;
}

/**
 * Decrypts a mail for a host, without working links and codes. Test-mode mail keeps them, because
 * testers need them and a test signature proves nothing.
 */
export function getDisplayableMailContent(
  row: StoredMailContent & { template: string; mode: string | null },
): OutgoingMailContent {
  const content = decryptMailContent(row);
  return row.mode === 'test' ? content : maskMailLinksAndCodes(content, row.template);
}
