/**
 * Processes the provider's reports about accepted mails. Bounces and complaints add the address to
 * the suppression list. An opening sets the reservation's status to `opened`. Each report is
 * processed once. A repetition after a crash is harmless.
 */
import { z } from 'zod';
import { config } from '@/config';
import { logger } from '@/infra/logger';
import { clock } from '@/shared/clock';
import { toStorableText } from '@/shared/text/storable-text';
import { type MailOpenedCallback, recordMailOpen } from './opens';
import * as repository from './repository';
import type { MailDeliveryReport, MailDeliveryReportHandler } from './rules/delivery.rules';
import { isSignedByMailProvider } from './rules/provider-signature.rules';

/** Text from a mail server, without characters that cannot be stored. */
const text = z.string().transform((value) => toStorableText(value));

const report = z.looseObject({
  type: z.string(),
  data: z.looseObject({
    email_id: text.optional(),
    to: z.union([z.array(text), text]).optional(),
    bounce: z.looseObject({ type: z.string().optional(), message: text.optional() }).optional(),
  }),
});
type Report = z.infer<typeof report>;

export interface MailProviderWebhookRequest {
  headers: { get(name: string): string | null };
  body: string;
}

/** Callbacks that record a report on the mail's reservation. */
export interface MailDeliveryReportCallbacks {
  opened: MailOpenedCallback;
  onReport: MailDeliveryReportHandler;
}

/**
 * Processes a report and returns the HTTP status: 401 for a wrong signature, 400 for a malformed
 * report, 404 without a configured secret. Returns 503 when the report arrived before the mail's
 * provider id was stored, so that the provider repeats the report.
 */
export async function handleMailProviderEvent(
  { headers, body }: MailProviderWebhookRequest,
  handlers: MailDeliveryReportCallbacks,
): Promise<200 | 400 | 401 | 404 | 503> {
  const secret = config().resend_webhook_secret;
  if (!secret) return 404;
  const header = (name: string) => headers.get(`svix-${name}`) ?? headers.get(`webhook-${name}`);
  const id = header('id');
  const signed = { id, timestamp: header('timestamp'), signature: header('signature'), body };
  if (!id || !isSignedByMailProvider(signed, secret, clock().now())) return 401;
  const parsed = parse(body);
  if (!parsed) return 400;
  if (await repository.isMailProviderEventStored(id)) return 200;
  const { email_id, to } = parsed.data;
  const mail = email_id ? await repository.findMailByProviderMessageId(email_id) : null;
  // An unknown mail may belong to another user of the provider's account. It can be ours only if a
  // mail to the address is being sent right now.
  if (email_id && !mail && (await repository.isAnyMailToAddressesBeingSent(addressesOf(to)))) return 503;
  await apply(parsed, mail, handlers);
  await repository.insertMailProviderEvent(id, clock().now());
  return 200;
}

function parse(body: string): Report | null {
  try {
    return report.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}

type KnownMail = Awaited<ReturnType<typeof repository.findMailByProviderMessageId>>;

async function apply(
  { type, data }: Report,
  mail: KnownMail,
  { opened, onReport }: MailDeliveryReportCallbacks,
): Promise<void> {
  const now = clock().now();
  const tell = async (fate: MailDeliveryReport) => {
    if (mail) await onReport(mail, fate);
  };
  switch (type) {
    case 'email.delivered':
      await tell({ type: 'mail.delivered' });
      break;
    case 'email.bounced': {
      const why = data.bounce?.message ?? 'The address does not exist or refuses mail.';
      // A temporary bounce, such as a full mailbox, does not suppress the address.
      if (data.bounce?.type !== 'Transient')
        await repository.suppressEmailAddresses(addressesOf(data.to), 'bounced', now);
      if (mail) await repository.markMailAsUndelivered(mail.id, toStorableText(`Bounced: ${why}`, 500));
      await tell({ type: 'mail.bounced', reason: toStorableText(why, 500) });
      break;
    }
    case 'email.complained':
      await repository.suppressEmailAddresses(addressesOf(data.to), 'complained', now);
      if (mail) await repository.markMailAsUndelivered(mail.id, 'The recipient marked it as spam.');
      await tell({ type: 'mail.complained' });
      break;
    case 'email.failed':
    case 'email.suppressed':
      if (mail) await repository.markMailAsUndelivered(mail.id, 'The provider could not deliver it.');
      await tell({ type: type === 'email.failed' ? 'mail.failed' : 'mail.suppressed' });
      break;
    case 'email.opened':
      if (mail) await recordMailOpen(mail, opened);
      break;
    default:
      logger().debug({ type }, 'a provider event had no effect');
  }
}

/** Extracts the lower-case addresses from forms like `Name <address>`. */
function addressesOf(to: string | string[] | undefined): string[] {
  return [to ?? []]
    .flat()
    .map((text) => (/<([^<>]+)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase())
    .filter((address) => address.includes('@'));
}
