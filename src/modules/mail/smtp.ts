/** Sends a mail through an SMTP server (SMTP_URL). Loads nodemailer when the first mail is sent. */
import { config, getSenderEmailAddress } from '@/config';
import type { MailProviderRequest, MailProviderResponse, SmtpReply } from './rules/delivery.rules';

/**
 * ALTOGETHER_MS limits the whole attempt. It is shorter than the time after which an attempt counts
 * as crashed.
 */
const [CONNECT_MS, SILENCE_MS, ALTOGETHER_MS] = [8_000, 10_000, 20_000];

async function connection(smtp_url: string) {
  const { createTransport } = await import('nodemailer');
  const url = new URL(smtp_url);
  const implicit = url.protocol === 'smtps:';
  const open = url.searchParams.get('starttls') === 'off';
  return createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (implicit ? 465 : 587),
    secure: implicit,
    // Without `requireTLS`, an attacker on the network could suppress STARTTLS and read the
    // password and the mail.
    requireTLS: !implicit && !open,
    ignoreTLS: open,
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    name: new URL(config().app_url).hostname,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // A mail's content must not cause nodemailer to read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Returns the Message-ID, which is the same for every attempt, so that recipients can detect a
 * duplicate.
 */
export const buildMailMessageId = (id: string) => `<${id}@${getSenderEmailAddress().split('@').at(-1)}>`;

/** Sends a mail. Never throws: failures are described in the result. */
export async function sendViaSmtp(
  { id, reply_to, attachments, ...mail }: MailProviderRequest,
  smtp_url: string,
): Promise<MailProviderResponse> {
  const transport = await connection(smtp_url);
  try {
    const messageId = buildMailMessageId(id);
    const message = {
      ...mail,
      messageId,
      ...(reply_to && { replyTo: reply_to }),
      attachments: attachments.map(({ filename, content }) => ({ filename, content: Buffer.from(content) })),
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
    await inTime(transport.sendMail(message));
    return { ok: true, provider_id: messageId };
  } catch (error) {
    return { ok: false, error: readSmtpError(error) };
  } finally {
    transport.close();
  }
}

/** Connects, encrypts and authenticates without sending a mail. Throws on any failure. */
export async function checkSmtpConnection(smtp_url: string): Promise<void> {
  const transport = await connection(smtp_url);
  await inTime(transport.verify()).finally(() => transport.close());
}

/** Limits the total time. nodemailer limits only the time of each response. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(
      () => refuse(new Error(`The server did not take it within ${ALTOGETHER_MS / 1000} seconds.`)),
      ALTOGETHER_MS,
    );
  });
  // Prevents an unhandled rejection when the work fails after the time limit.
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function readSmtpError(error: unknown) {
  const { message, responseCode, command, code } = error as Error & {
    responseCode?: number;
    command?: string;
    code?: string;
  };
  const reply: SmtpReply | null = responseCode ? { code: responseCode, command: command ?? '' } : null;
  return { name: code ?? 'smtp', message, status: null, retry_after_s: null, reply };
}
