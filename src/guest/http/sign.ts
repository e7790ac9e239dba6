/** Serves `/sign/<token>`. Converts between HTTP and the signing service. */
import { isSameOriginPost } from '@/infra/http/same-origin-post';
import { retrieveCertificateWithoutTrail } from '@/modules/certificates/service';
import { buildGuestCertificateCopyUrl } from '@/modules/links/urls';
import type { ReservationWithPropertyAndPacket } from '@/modules/reservations/save-transition';
import {
  CONFIRMATION_CODE_LIFETIME_MINUTES,
  hasValidConfirmationCode,
  sendConfirmationCodeMail,
  verifyConfirmationCode,
} from '@/modules/signing/codes';
import {
  buildGuestPacketDisplay,
  getSafetyNotes,
  type PacketShownToGuestWithSnapshot,
  toPropertyBrandView,
} from '@/modules/signing/display';
import { findReservationByLink, type GuestLinkLookupResult } from '@/modules/signing/open-link';
import type { PacketView } from '@/modules/signing/packet-view';
import { recordGuestReply } from '@/modules/signing/reply';
import { recordGuestPageView, signReservation } from '@/modules/signing/service';
import type { GuestBrowserDetails } from '@/modules/trail/service';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { toImageDataUrl } from '@/shared/data-url';
import { isAppError } from '@/shared/errors';
import { maskEmailAddress } from '@/shared/guest-text/mask';
import { formatSenderLine } from '@/shared/guest-text/sender';
import type { Scope } from '@/shared/scope';
import { highlightPacketChanges, PACKET_CHANGES_WITHOUT_DETAILS } from '../packet-diff';
import { renderSigningCompletedPage } from '../pages/done';
import { renderSigningReviewPage } from '../pages/review';
import { renderSignPage } from '../pages/sign';
import type {
  FieldError,
  GuestLinkState,
  OneTimeCodeStepView,
  PacketChangesSincePageOpened,
  SignFormField,
} from '../view-models';
import { getSignedCopyPdfLink } from './certificate/copy';
import { handleGuestEmailForm } from './contact';
import {
  allowFraming,
  choosePageLocale,
  createFailurePage,
  createHtmlResponse,
  createUnusableGuestLinkResponse,
  getGuestBrowserDetails,
  readPostedForm,
  redirectAfterPost,
} from './respond';
import { readGuestReplyFromForm, readSignForm, type SubmittedSignForm } from './sign-form';

/**
 * Handles GET: returns the page for the link's state. Never changes data, because link scanners
 * send plain GETs.
 */
export function handleSignPageRequest(request: Request, token: string): Promise<Response> {
  return answer(request, token, async ({ scope, loaded, path }) => {
    const locale = choosePageLocale(request, loaded.row);
    if (loaded.row.status === 'signed') {
      const revisit = !new URL(request.url).searchParams.has('signed');
      return createHtmlResponse(await doneHtml(scope, loaded, path, locale, revisit), {
        brand: toPropertyBrandView(loaded.property),
      });
    }
    const replied = new URL(request.url).searchParams.has('replied');
    return signHtml(scope, loaded, { path, locale, values: null, errors: [], replied });
  });
}

/** Handles POST: returns the review page, sends a code, or signs the packet. */
export function handleSignSubmit(request: Request, token: string): Promise<Response> {
  return answer(request, token, async ({ scope, loaded, path }) => {
    if (!isSameOriginPost(request))
      return createUnusableGuestLinkResponse('form_refused', { locale: choosePageLocale(request), path });
    // A second post after signing redirects to the same page.
    if (loaded.row.status === 'signed')
      return redirectAfterPost(signedPath(path, choosePageLocale(request, loaded.row)));
    const posted = await readPostedForm(request);
    const origin = getGuestBrowserDetails(request, loaded.property.embed_origins);
    const viewed = async () => {
      if (loaded.row.clicked_at === null) await recordGuestPageView(scope, loaded.row.id, origin);
    };
    const reply = readGuestReplyFromForm(posted);
    if (reply === 'too_long')
      return createUnusableGuestLinkResponse('form_refused', { locale: choosePageLocale(request), path });
    const form = await readSignForm(posted, {
      photo_required: loaded.row.selfie_required,
      acceptances: loaded.property.required_acceptances,
    });
    if (reply) {
      await viewed();
      await recordGuestReply(scope, loaded.row.id, { ...reply, origin });
      return redirectAfterPost(`${path}?replied=1&lang=${form.locale}`);
    }
    const page = { path, locale: form.locale, values: form.values, photo: form.photo };
    if (form.intent === 'send_code') {
      await viewed();
      const error = await sendConfirmationCodeMail(scope, loaded, 'signing', loaded.row.guest_email ?? '', form.locale);
      return signHtml(scope, loaded, { ...page, errors: error ? [{ field: 'otp_code', code: error }] : [] });
    }
    const code_error = await checkCode(scope, loaded, form, origin);
    const errors = [...(code_error ? [code_error] : []), ...form.errors];
    if (errors.length > 0) {
      await viewed();
      return signHtml(scope, loaded, { ...page, errors, code_confirmed: !code_error });
    }
    if (form.intent === 'review') {
      const display = buildGuestPacketDisplay(loaded, form.locale);
      if (display?.hash === form.displayed_hash) {
        await viewed();
        return createHtmlResponse(await reviewHtml(scope, loaded, display, form, path), {
          brand: toPropertyBrandView(loaded.property),
        });
      }
    }
    return sign({ scope, loaded, path }, form, origin);
  });
}

async function sign(
  { scope, loaded, path }: Opened,
  form: SubmittedSignForm,
  origin: GuestBrowserDetails,
): Promise<Response> {
  const result = await signReservation(scope, loaded.row.id, {
    typed_name: form.values.typed_name,
    displayed_hash: form.displayed_hash,
    locale: form.locale,
    drawn_signature: form.drawn_signature,
    photo: form.photo,
    otp_confirmed: loaded.row.otp_required,
    origin,
  });
  if (result.kind === 'signed') return redirectAfterPost(signedPath(path, form.locale));
  if (loaded.row.clicked_at === null) await recordGuestPageView(scope, loaded.row.id, origin);
  const marked = result.before ? highlightPacketChanges(result.before.packet, result.now.packet) : null;
  return signHtml(scope, result.loaded, {
    path,
    locale: form.locale,
    values: form.values,
    photo: form.photo,
    errors: [],
    code_confirmed: true,
    packet: marked?.packet,
    changes: marked?.changes ?? PACKET_CHANGES_WITHOUT_DETAILS,
  });
}

/** Returns the path of the page after signing. Opening it does not count as a visit. */
const signedPath = (path: string, locale: SubmittedSignForm['locale']) => `${path}?signed=1&lang=${locale}`;

/** Handles POST `/view`: records that a person has seen the page. */
export async function handleSignPageViewEvent(request: Request, token: string): Promise<Response> {
  const link = await findReservationByLink(token);
  if (link.kind === 'current' && link.purpose === 'signing' && isSameOriginPost(request)) {
    const { row, property } = link.loaded;
    await recordGuestPageView(link.scope, row.id, getGuestBrowserDetails(request, property.embed_origins));
  }
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
}

interface Opened {
  scope: Scope;
  loaded: ReservationWithPropertyAndPacket;
  path: string;
}

/**
 * Loads the reservation of the link and returns the response. After an error, returns a page with
 * the id of the logged error.
 */
async function answer(request: Request, token: string, live: (opened: Opened) => Promise<Response>): Promise<Response> {
  const path = `/sign/${token}`;
  // Set as soon as the property is known. All responses, including errors, may be embedded in the
  // sites that the property lists.
  let embed_origins: readonly string[] = [];
  let page: StatePage = { locale: choosePageLocale(request), path };
  try {
    const link = await findReservationByLink(token);
    if (link.kind === 'unknown') return await createUnusableGuestLinkResponse('unknown', page);
    embed_origins = link.loaded.property.embed_origins;
    page = statePage(request, link.loaded, path);
    return allowFraming(await answerLink(request, link, page, live), embed_origins);
  } catch (error) {
    return allowFraming(await answerRefusal(error, page), embed_origins);
  }
}

type StatePage = Parameters<typeof createUnusableGuestLinkResponse>[1];

/** Returns the fields that every page for a known link needs. */
const statePage = (request: Request, { row, property }: ReservationWithPropertyAndPacket, path: string): StatePage => ({
  locale: choosePageLocale(request, row),
  path,
  brand: toPropertyBrandView(property),
  test_mode: row.mode === 'test',
});

/**
 * Calls `live` when the guest can sign with the link. Otherwise returns another page, for example
 * for an expired reservation.
 */
async function answerLink(
  request: Request,
  link: Exclude<GuestLinkLookupResult, { kind: 'unknown' }>,
  page: StatePage,
  live: (opened: Opened) => Promise<Response>,
): Promise<Response> {
  const { loaded } = link;
  const { path } = page;
  if (link.kind === 'replaced') return createUnusableGuestLinkResponse('replaced', page);
  if (link.state === 'cancelled' || link.state === 'expired')
    return createUnusableGuestLinkResponse(link.state, { ...page, safety_notes: getSafetyNotes(loaded, page.locale) });
  if (link.purpose === 'share') return handleGuestEmailForm(request, link.scope, loaded, path);
  if (link.state === 'not_sent')
    return createUnusableGuestLinkResponse('unknown', { locale: choosePageLocale(request), path });
  return live({ scope: link.scope, loaded, path });
}

async function answerRefusal(error: unknown, page: StatePage): Promise<Response> {
  // Another post of the same form was processed first.
  if (isAppError(error) && error.code === 'reservation_already_signed')
    return redirectAfterPost(signedPath(page.path, page.locale));
  const state = isAppError(error) && STATE_OF_ERROR[error.code];
  return state ? createUnusableGuestLinkResponse(state, page) : createFailurePage(error, page);
}

/**
 * The page for each error code. The link's state may have changed while the guest had the form
 * open.
 */
const STATE_OF_ERROR: Partial<Record<string, GuestLinkState>> = {
  reservation_cancelled: 'cancelled',
  reservation_expired: 'expired',
  stay_ended: 'expired',
  // The reservation was withdrawn or deleted, or has no packet to show.
  reservation_not_sent: 'unknown',
  resource_missing: 'unknown',
  reservation_not_sendable: 'unknown',
  // The packet was sent to another address while the form was open.
  reservation_not_editable: 'replaced',
  rate_limit_exceeded: 'rate_limited',
  // Many concurrent requests caused repeated conflicts.
  concurrent_edit: 'rate_limited',
  unsupported_media_type: 'form_refused',
};

async function checkCode(
  scope: Scope,
  loaded: ReservationWithPropertyAndPacket,
  form: SubmittedSignForm,
  origin: GuestBrowserDetails,
): Promise<FieldError<SignFormField> | null> {
  const email = loaded.row.guest_email ?? '';
  if (!loaded.row.otp_required) return null;
  if (!form.values.otp_code) return { field: 'otp_code', code: 'code_required' };
  const error = await verifyConfirmationCode(scope, loaded.row.id, 'signing', email, form.values.otp_code, origin);
  return error ? { field: 'otp_code', code: error } : null;
}

interface SignView {
  path: string;
  locale: SubmittedSignForm['locale'];
  values: SubmittedSignForm['values'] | null;
  photo?: Uint8Array | null;
  errors: FieldError<SignFormField>[];
  /** Whether the posted code was correct. */
  code_confirmed?: boolean;
  packet?: PacketView;
  changes?: PacketChangesSincePageOpened;
  replied?: boolean;
}

async function signHtml(scope: Scope, loaded: ReservationWithPropertyAndPacket, view: SignView): Promise<Response> {
  const { row, property } = loaded;
  const display = buildGuestPacketDisplay(loaded, view.locale);
  if (!display) return createUnusableGuestLinkResponse('unknown', { locale: view.locale, path: view.path });
  const body = await renderSignPage({
    locale: view.locale,
    path: view.path,
    sender: formatSenderLine(loaded.sender),
    test_mode: scope.mode === 'test',
    brand: toPropertyBrandView(property),
    guest_name: row.guest_name,
    stay: serializeStayDates(row),
    packet: view.packet ?? display.packet,
    displayed_hash: display.hash,
    selfie_required: row.selfie_required,
    acceptances: display.snapshot.acceptances,
    photo: view.photo ? toImageDataUrl('jpeg', view.photo) : null,
    code: await codeStep(scope, loaded, view.code_confirmed ?? false),
    values: view.values,
    errors: view.errors,
    changes: view.changes ?? null,
    replied: view.replied,
  });
  return createHtmlResponse(body, {
    status: view.errors.length > 0 ? 422 : view.changes ? 409 : 200,
    brand: toPropertyBrandView(property),
  });
}

async function codeStep(
  scope: Scope,
  { row }: ReservationWithPropertyAndPacket,
  confirmed: boolean,
): Promise<OneTimeCodeStepView | null> {
  if (!row.otp_required || !row.guest_email) return null;
  const sent = confirmed || (await hasValidConfirmationCode(scope, row.id, 'signing', row.guest_email));
  const state = confirmed ? 'confirmed' : sent ? 'sent' : 'not_sent';
  return { state, sent_to: maskEmailAddress(row.guest_email), expires_in_minutes: CONFIRMATION_CODE_LIFETIME_MINUTES };
}

function reviewHtml(
  scope: Scope,
  loaded: ReservationWithPropertyAndPacket,
  display: PacketShownToGuestWithSnapshot,
  form: SubmittedSignForm,
  path: string,
): Promise<string> {
  return renderSigningReviewPage({
    locale: form.locale,
    path,
    sender: formatSenderLine(loaded.sender),
    test_mode: scope.mode === 'test',
    brand: toPropertyBrandView(loaded.property),
    stay: serializeStayDates(loaded.row),
    counts: { rules: display.packet.rules.length, fees: display.packet.fees.length },
    displayed_hash: form.displayed_hash,
    values: form.values,
    acceptances: display.snapshot.acceptances,
    photo: form.photo && toImageDataUrl('jpeg', form.photo),
    drawn_signature: form.drawn_signature && toImageDataUrl('png', form.drawn_signature),
  });
}

async function doneHtml(
  scope: Scope,
  loaded: ReservationWithPropertyAndPacket,
  path: string,
  locale: SubmittedSignForm['locale'],
  revisit: boolean,
): Promise<string> {
  const { row, property } = loaded;
  const signed = row.signature_id ? await retrieveCertificateWithoutTrail(scope, row.signature_id) : null;
  // Never shows another guest's certificate, even if the reservation's row refers to one.
  const head = signed?.reservation_id === row.id ? signed : null;
  const at = (row.signed_at ?? row.updated_at).toISOString();
  const pdf = head && getSignedCopyPdfLink(head);
  const packet = buildGuestPacketDisplay(loaded, locale)?.packet;
  return renderSigningCompletedPage({
    locale,
    path,
    sender: formatSenderLine(loaded.sender),
    test_mode: scope.mode === 'test',
    revisit,
    brand: toPropertyBrandView(property),
    stay: serializeStayDates(row),
    timezone: property.timezone,
    signed: head ? { by: 'guest', name: head.signer_name, at } : { by: 'manual', at },
    arrival: packet?.arrival ?? [],
    safety_notes: packet?.safety_notes ?? null,
    copy_url: pdf && head ? buildGuestCertificateCopyUrl(head.id) : null,
    pdf,
  });
}

export function serializeStayDates(row: ReservationWithPropertyAndPacket['row']) {
  return {
    checkin_date: convertDatabaseDateToIsoDay(row.checkin_date),
    checkout_date: convertDatabaseDateToIsoDay(row.checkout_date),
  };
}
