/** The content of kept mail: encrypted, because a mail carries what only its reader may have. */
import { appSecret } from '@/config';
import { decryptBytes, encryptBytes } from '@/infra/encryption';
import { encryptPlainMail, findPlainMails } from './queue.repository';
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
  /** What was kept before contents were encrypted (retention encrypts it). */
  html: string | null;
  text: string | null;
}

/** The mail as it was rendered, secrets and all: for sending it, and for test-mode previews. */
export function openContent({ content, subject, html, text }: StoredMail): MailContent {
  if (content) return JSON.parse(decryptBytes(appSecret(), PURPOSE, content).toString('utf8')) as MailContent;
  return { subject, html: html ?? '', text: text ?? '' };
}

/** The mail as a host may see it. In test mode nobody is mailed and nothing is proven, and testers need the link. */
export function shownContent(row: StoredMail & { template: string; mode: string | null }): MailContent {
  const content = openContent(row);
  return row.mode === 'test' ? content : maskSecrets(content, row.template);
}

/** Encrypts what an earlier version kept in clear; how many mails that were. Empty ones had nothing left to keep. */
export async function encryptKeptMails(): Promise<number> {
  let encrypted = 0;
  for (;;) {
    const mails = await findPlainMails();
    for (const mail of mails) {
      const content = openContent(mail);
      const masked = maskSecrets(content, mail.template);
      const kept = mail.status === 'queued' || mail.mode === 'test' ? content : masked;
      const content_until = mail.preview_until;
      await encryptPlainMail(mail.id, { subject: masked.subject, content: sealContent(kept), content_until });
    }
    encrypted += mails.length;
    if (mails.length === 0) return encrypted;
  }
}
