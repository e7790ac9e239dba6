/**
 * Serves the shared link of a booking without an email address. The guest enters an address and
 * confirms it with a code.
 */

import { isSameOriginPost } from '@/infra/http/same-origin-post';
import { buildSigningUrl } from '@/modules/links/urls';
import type { ReservationWithPropertyAndPacket } from '@/modules/reservations/save-transition';
import {
  CONFIRMATION_CODE_LIFETIME_MINUTES,
  sendConfirmationCodeMail,
  verifyConfirmationCode,
} from '@/modules/signing/codes';
import { storeGuestEmailAddressAndSendPacket } from '@/modules/signing/contact';
import { getSafetyNotes, toPropertyBrandView } from '@/modules/signing/display';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { AppError } from '@/shared/errors';
import { formatSenderLine } from '@/shared/guest-text/sender';
import { EmailAddress } from '@/shared/schemas';
import type { Scope } from '@/shared/scope';
import { hasCheckoutDayEnded } from '@/shared/zoned-time';
import { renderMissingEmailAddressPage } from '../pages/contact';
import type { ContactField, FieldError } from '../view-models';
import {
  choosePageLocale,
  createHtmlResponse,
  createUnusableGuestLinkResponse,
  getGuestBrowserDetails,
  readPostedForm,
  redirectAfterPost,
} from './respond';

export async function handleGuestEmailForm(
  request: Request,
  scope: Scope,
  loaded: ReservationWithPropertyAndPacket,
  path: string,
): Promise<Response> {
  const { row, property } = loaded;
  const locale = choosePageLocale(request, row);
  const brand = toPropertyBrandView(property);
  const form = request.method === 'POST' && isSameOriginPost(request) ? await readPostedForm(request) : null;
  const intent = String(form?.get('intent') ?? '');
  const entered = String(form?.get('email') ?? '').trim();
  const code = String(form?.get('otp_code') ?? '').replace(/\s/g, '');
  if (row.guest_email !== null || row.status === 'signed') {
    // A guest may submit the form twice. The second submission repeats the address that the first
    // stored.
    const isRepeated =
      intent === 'confirm' && row.status === 'sent' && row.guest_email?.toLowerCase() === entered.toLowerCase();
    if (isRepeated && (await verifyConfirmationCode(scope, row.id, 'contact', entered, code)) === null)
      return redirectAfterPost(new URL(buildSigningUrl(property, row.id, row.token_generation)).pathname);
    // Once an address is known, only the mailed link works, because anyone may have the shared
    // link.
    return createUnusableGuestLinkResponse('replaced', { locale, path, brand });
  }
  if (hasCheckoutDayEnded(convertDatabaseDateToIsoDay(row.checkout_date), property.timezone, loaded.now))
    return createUnusableGuestLinkResponse('expired', {
      locale,
      path,
      brand,
      safety_notes: getSafetyNotes(loaded, locale),
    });
  const page = async (step: 'email' | 'code', email: string, errors: FieldError<ContactField>[] = []) =>
    createHtmlResponse(
      await renderMissingEmailAddressPage({
        locale,
        path,
        sender: formatSenderLine(loaded.sender),
        test_mode: scope.mode === 'test',
        brand,
        stay: {
          checkin_date: convertDatabaseDateToIsoDay(row.checkin_date),
          checkout_date: convertDatabaseDateToIsoDay(row.checkout_date),
        },
        step,
        email,
        expires_in_minutes: CONFIRMATION_CODE_LIFETIME_MINUTES,
        errors,
      }),
      { status: errors.length > 0 ? 422 : 200, brand },
    );
  if (request.method !== 'POST') return page('email', '');
  if (form === null) return createUnusableGuestLinkResponse('form_refused', { locale, path, brand });

  const parsed = EmailAddress.safeParse(entered);
  if (intent === 'change_email') return page('email', entered);
  if (!entered) return page('email', '', [{ field: 'email', code: 'email_required' }]);
  if (!parsed.success || parsed.data.endsWith('.invalid'))
    return page('email', entered, [{ field: 'email', code: 'email_invalid' }]);
  const email = parsed.data;
  if (intent !== 'confirm') {
    const problem = await sendConfirmationCodeMail(scope, loaded, 'contact', email, locale);
    return page('code', email, problem ? [{ field: null, code: problem }] : []);
  }
  if (!code) return page('code', email, [{ field: 'otp_code', code: 'code_required' }]);
  const problem = await verifyConfirmationCode(scope, row.id, 'contact', email, code);
  if (problem) return page('code', email, [{ field: 'otp_code', code: problem }]);
  const url = await storeGuestEmailAddressAndSendPacket(
    scope,
    row.id,
    email,
    locale,
    getGuestBrowserDetails(request, property.embed_origins),
  ).catch((error: unknown) => {
    // The host has reached a mail limit. The code stays confirmed, so the guest can send the same
    // form again later.
    if (error instanceof AppError && error.code === 'rate_limit_exceeded') return null;
    throw error;
  });
  if (url === null) return page('code', email, [{ field: null, code: 'rate_limited' }]);
  // Redirects to a path, without a host. The page's policy forbids redirecting a form to another
  // host, and the property's host name may have changed.
  return redirectAfterPost(new URL(url).pathname);
}
