/**
 * Serves the shared link of a booking without an email address. The guest enters an address and
 * confirms it with a code.
 */

import { isSameOriginPost } from '@/infra/http/own-post';
import type { LoadedReservation } from '@/modules/reservations/save-transition';
import { CODE_MINUTES, confirmCode, requestCode } from '@/modules/signing/codes';
import { acceptContact } from '@/modules/signing/contact';
import { getSafetyNotes, toBrandView } from '@/modules/signing/display';
import { dayToText } from '@/shared/calendar-day';
import { AppError } from '@/shared/errors';
import { formatSenderLine } from '@/shared/guest-text/sender';
import { EmailAddress } from '@/shared/schemas';
import type { Scope } from '@/shared/scope';
import { isStayOver } from '@/shared/zoned-time';
import { renderContactPage } from '../pages/contact';
import type { ContactField, FieldError } from '../view-models';
import {
  choosePageLocale,
  createHtmlResponse,
  createLinkStateResponse,
  getTrailOrigin,
  readForm,
  redirectAfterPost,
} from './respond';

export async function handleContact(
  request: Request,
  scope: Scope,
  loaded: LoadedReservation,
  path: string,
): Promise<Response> {
  const { row, property } = loaded;
  const locale = choosePageLocale(request, row);
  const brand = toBrandView(property);
  // Once an address is known, the guest uses the link in the mail. The shared link must not show
  // the data that the mailed link protects.
  if (row.guest_email !== null || row.status === 'signed')
    return createLinkStateResponse('replaced', { locale, path, brand });
  if (isStayOver(dayToText(row.checkout_date), property.timezone, loaded.now))
    return createLinkStateResponse('expired', { locale, path, brand, safety_notes: getSafetyNotes(loaded, locale) });
  const page = async (step: 'email' | 'code', email: string, errors: FieldError<ContactField>[] = []) =>
    createHtmlResponse(
      await renderContactPage({
        locale,
        path,
        sender: formatSenderLine(loaded.sender),
        test_mode: scope.mode === 'test',
        brand,
        stay: { checkin_date: dayToText(row.checkin_date), checkout_date: dayToText(row.checkout_date) },
        step,
        email,
        expires_in_minutes: CODE_MINUTES,
        errors,
      }),
      { status: errors.length > 0 ? 422 : 200, brand },
    );
  if (request.method !== 'POST') return page('email', '');
  if (!isSameOriginPost(request)) return createLinkStateResponse('form_refused', { locale, path, brand });

  const form = await readForm(request);
  const intent = String(form.get('intent') ?? '');
  const entered = String(form.get('email') ?? '').trim();
  const parsed = EmailAddress.safeParse(entered);
  if (intent === 'change_email') return page('email', entered);
  if (!entered) return page('email', '', [{ field: 'email', code: 'email_required' }]);
  if (!parsed.success || parsed.data.endsWith('.invalid'))
    return page('email', entered, [{ field: 'email', code: 'email_invalid' }]);
  const email = parsed.data;
  if (intent !== 'confirm') {
    const problem = await requestCode(scope, loaded, 'contact', email, locale);
    return page('code', email, problem ? [{ field: null, code: problem }] : []);
  }
  const code = String(form.get('otp_code') ?? '').replace(/\s/g, '');
  if (!code) return page('code', email, [{ field: 'otp_code', code: 'code_required' }]);
  const problem = await confirmCode(scope, row.id, 'contact', email, code);
  if (problem) return page('code', email, [{ field: 'otp_code', code: problem }]);
  const url = await acceptContact(scope, row.id, email, locale, getTrailOrigin(request, property.embed_origins)).catch(
    (error: unknown) => {
      // The code stays confirmed, so the same form works once the host may send mail again.
      if (error instanceof AppError && error.code === 'rate_limit_exceeded') return null;
      throw error;
    },
  );
  if (url === null) return page('code', email, [{ field: null, code: 'rate_limited' }]);
  // The redirect stays on the form's own host. The page's policy forbids redirecting a form to
  // another host, and the property's host name may have changed.
  return redirectAfterPost(new URL(url).pathname);
}
