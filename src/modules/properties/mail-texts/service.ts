/**
 * A host's custom texts in mails to guests: saving them, previewing them and sending test mails.
 */

import { config } from '@/config';
import { renderPacketEmail } from '@/emails/packet';
import { renderReminder2hBeforeCheckinEmail, renderReminder24hBeforeCheckinEmail } from '@/emails/reminder';
import type { Property } from '@/generated/prisma/client';
import { lockTeam } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { isEmailAddressConfirmed } from '@/modules/accounts/members.service';
import { recordAuditEntry } from '@/modules/audit-log/service';
import { countRecentHostTestMails, isMailProviderConfigured, queueMail } from '@/modules/mail/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { GuestLocale } from '@/shared/guest-text/locale';
import type { CustomizableMail, CustomMailText, CustomMailTexts } from '@/shared/guest-text/mail-texts';
import { GUEST_TEXT_SHORT_CODES } from '@/shared/guest-text/short-codes';
import { getGuestTranslator } from '@/shared/guest-text/translate';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { addDays, getLocalDate } from '@/shared/zoned-time';
import * as repository from '../repository';
import { retrieveProperty } from '../service';
import { mailTextsJsonColumn, type PropertyMailText, type PropertyMailTextInput } from './schemas';

const NOTHING: CustomMailText = { subject: null, intro: null };
/**
 * The maximum number of test mails per team and day. It allows a test of each mail in each
 * language.
 */
export const MAX_TEST_MAILS_PER_DAY = 50;

interface Which {
  mail: CustomizableMail;
  locale: GuestLocale;
}

/** Returns the host's text and the standard text. Throws resource_missing. */
export async function retrievePropertyMailText(scope: Scope, id: string, which: Which): Promise<PropertyMailText> {
  return shown(await retrieveProperty(scope, id), which);
}

function shown(property: Property, { mail, locale }: Which): PropertyMailText {
  const texts = mailTextsJsonColumn.read(property.mail_texts);
  const t = getGuestTranslator(locale);
  return {
    own: texts[mail]?.[locale] ?? NOTHING,
    standard: {
      subject: t(`mail.${mail}.subject`, { property: property.name }),
      intro: t(`mail.${mail}.body`, { property: property.name }),
    },
    codes: Object.keys(GUEST_TEXT_SHORT_CODES),
    written: Object.entries(texts).flatMap(([of, by_locale]) =>
      Object.keys(by_locale ?? {}).map((language) => ({
        mail: of as CustomizableMail,
        locale: language as GuestLocale,
      })),
    ),
  };
}

/** Saves the text, or deletes it when it is empty. Throws resource_missing and concurrent_edit. */
export async function savePropertyMailText(
  scope: Scope,
  { id, mail, locale, ...own }: PropertyMailTextInput,
): Promise<PropertyMailText> {
  return inTransaction(scope, async () => {
    const before = await retrieveProperty(scope, id);
    const texts = mailTextsJsonColumn.read(before.mail_texts);
    const { [locale]: _now, ...others } = texts[mail] ?? {};
    const is_empty = own.subject === null && own.intro === null;
    const next: CustomMailTexts = { ...texts, [mail]: is_empty ? others : { ...others, [locale]: own } };
    const row = await repository.saveProperty(scope, id, before.version, {
      mail_texts: mailTextsJsonColumn.write(next),
      updated_at: clock().now(),
    });
    if (!row) throw new AppError('concurrent_edit');
    await recordAuditEntry(scope, { action: 'property.mail_text_changed', object_id: id, data: { mail, locale } });
    return shown(row, { mail, locale });
  });
}

/** Returns the mail with this text, for a fictitious guest. Throws resource_missing. */
export async function previewPropertyMailText(scope: Scope, input: PropertyMailTextInput) {
  return render(scope, await retrieveProperty(scope, input.id), input);
}

/**
 * Sends the previewed mail to the signed-in member. Throws resource_missing and
 * rate_limit_exceeded. Throws insufficient_scope while the member's address is unconfirmed, because
 * it may belong to someone else.
 */
export async function sendTestMailWithText(
  scope: Scope,
  user: { id: string; email: string },
  input: PropertyMailTextInput,
) {
  const property = await retrieveProperty(scope, input.id);
  if (isMailProviderConfigured() && !(await isEmailAddressConfirmed(user.id))) {
    throw new AppError('insufficient_scope', { message: createRefusal('confirm_your_address_mailed') });
  }
  const { subject, html, text } = await render(scope, property, input);
  await inTransaction(scope, async () => {
    await lockTeam(scope);
    if ((await countRecentHostTestMails(scope, clock().now())) >= MAX_TEST_MAILS_PER_DAY) {
      throw new AppError('rate_limit_exceeded', {
        message: createRefusal('at_most_test_mails', { most: MAX_TEST_MAILS_PER_DAY }),
        retryAfter: 3_600,
      });
    }
    const preview = scope.mode === 'test';
    await queueMail(scope, { subject, html, text, template: 'mail_test', to: user.email, preview });
  });
  return { to: user.email, sent: scope.mode === 'live' && isMailProviderConfigured() };
}

const RENDERERS = {
  reminder_24h: renderReminder24hBeforeCheckinEmail,
  reminder_2h: renderReminder2hBeforeCheckinEmail,
};

async function render(scope: Scope, property: Property, { mail, locale, subject, intro }: PropertyMailTextInput) {
  const today = getLocalDate(clock().now(), property.timezone);
  const stay = {
    locale,
    guest_name: 'Ada Lovelace',
    property_name: property.name,
    property_address: property.address,
    brand_color: property.brand_color,
    logo_url: property.logo_url,
    checkin_date: addDays(today, 3),
    checkout_date: addDays(today, 7),
    signing_url: `${config().app_url}/sign/sample`,
    open_pixel_url: null,
    livemode: scope.mode === 'live',
    own_texts: { [mail]: { [locale]: { subject, intro } } },
  };
  return mail === 'packet' ? renderPacketEmail({ ...stay, welcome_message: null }) : RENDERERS[mail](stay);
}
