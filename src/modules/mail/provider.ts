/**
 * Sends a mail through an SMTP server or through Resend. Loads Resend's SDK when the first mail is
 * sent.
 */
import type { Resend } from 'resend';
import { config } from '@/config';
import type { MailProviderRequest, MailProviderResponse } from './rules/delivery.rules';
import { sendViaSmtp } from './smtp';

const TIMEOUT_MS = 20_000;
let client: { key: string; base_url: string | undefined; resend: Resend } | undefined;

async function resend(key: string, base_url: string | undefined): Promise<Resend> {
  if (client?.key === key && client.base_url === base_url) return client.resend;
  const { Resend: Client } = await import('resend');
  client = { key, base_url, resend: new Client(key, base_url ? { baseUrl: base_url } : {}) };
  return client.resend;
}

/** Sends a mail. Never throws: failures are described in the result. */
export async function sendMailViaProvider(mail: MailProviderRequest): Promise<MailProviderResponse> {
  const { resend_api_key, resend_base_url, smtp_url } = config();
  if (smtp_url) return sendViaSmtp(mail, smtp_url);
  if (!resend_api_key) return failure('not_configured', 'Neither RESEND_API_KEY nor SMTP_URL is set.', null);
  const { id, ...payload } = mail;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<MailProviderResponse>((resolve) => {
    timer = setTimeout(
      () => resolve(failure('timeout', `The provider did not answer within ${TIMEOUT_MS / 1000} seconds.`, null)),
      TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([send(await resend(resend_api_key, resend_base_url), id, payload), late]);
  } catch (error) {
    return failure('request_failed', error instanceof Error ? error.message : String(error), null);
  } finally {
    clearTimeout(timer);
  }
}

async function send(api: Resend, id: string, mail: Omit<MailProviderRequest, 'id'>): Promise<MailProviderResponse> {
  const { reply_to, attachments, ...payload } = mail;
  const request = {
    ...payload,
    ...(reply_to && { replyTo: reply_to }),
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ filename, content }) => ({
        filename,
        content: Buffer.from(content).toString('base64'),
      })),
    }),
  };
  const { data, error, headers } = await api.emails.send(request, { idempotencyKey: id });
  if (data?.id) return { ok: true, provider_id: data.id };
  const retry_after_s = Number(headers?.['retry-after']);
  return failure(
    error?.name ?? 'no_id',
    error?.message ?? 'The provider’s answer held no id.',
    error?.statusCode ?? null,
    Number.isFinite(retry_after_s) ? retry_after_s : null,
  );
}

function failure(
  name: string,
  message: string,
  status: number | null,
  retry_after_s: number | null = null,
): MailProviderResponse {
  return { ok: false, error: { name, message, status, retry_after_s } };
}
