/** The content of kept mail: encrypted, because a mail carries what only its reader may have. */
import { appSecret } from '@/config';
import { decryptBytes, encryptBytes } from '@/infra/encryption';
import { type MailContent, maskSecrets } from './rules/mask.rules';

const PURPOSE = 'mail';

/** As it is stored. */
export function sealContent({ subject, html, text }: MailContent): Uint8Array<ArrayBuffer> {
  return encryptBytes(appSecret(), PURPOSE, Buffer.from(JSON.stringify({ subject, html, text })));
}

export interface StoredMail {
  subject: string;
  /** Null once its time is over. */
  content: Uint8Array | null;
}

/** The mail as it was rendered, secrets and all: for sending it, and for test-mode previews. */
export function openContent({ content, subject }: StoredMail): MailContent {
  if (!content) return { subject, html: '', text: '' };
  return JSON.parse(decryptBytes(appSecret(), PURPOSE, content).toString('utf8')) as MailContent;
}

/** The mail as a host may see it. In test mode nobody is mailed and nothing is proven, and testers need the link. */
export function shownContent(row: StoredMail & { template: string; mode: string | null }): MailContent {
  const content = openContent(row);
  return row.mode === 'test' ? content : maskSecrets(content, row.template);
}
