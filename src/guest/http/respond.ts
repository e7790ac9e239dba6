/**
 * Builds the responses of the guest pages. Their headers keep links secret from other sites and
 * caches.
 */
import { getGuestLinkStateHttpStatus, renderGuestLinkStatePage } from '@/guest/pages/link-state';
import type { GuestLinkState } from '@/guest/view-models';
import { isDatabaseUnavailableError } from '@/infra/database-unavailable';
import { logger } from '@/infra/logger';
import { isStorageError } from '@/infra/storage/object-store';
import { CLIENT_IP_ADDRESS_HEADER } from '@/modules/accounts/session-headers';
import { determineOriginThatEmbeddedPage } from '@/modules/properties/embed-origins.rules';
import { listLoggedDatabaseRestores } from '@/modules/public-log/service';
import type { PropertyBrandView } from '@/modules/signing/packet-view';
import type { GuestBrowserDetails } from '@/modules/trail/service';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { buildGuestContentSecurityPolicy, replaceFrameAncestorsInCsp } from '@/shared/colour/brand';
import { AppError } from '@/shared/errors';
import {
  chooseGuestPageLocale,
  type GuestLocale,
  getLanguageToUseInsteadOfBrowserLanguage,
  type StoredGuestLanguage,
} from '@/shared/guest-text/locale';
import { newId } from '@/shared/ids';

/**
 * Returns a page as a response. Its URL contains a token, so the headers prevent caching and
 * referrers.
 */
export function createHtmlResponse(
  body: string,
  options: { status?: number; brand: PropertyBrandView | null },
): Response {
  return new Response(body, {
    status: options.status ?? 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': buildGuestContentSecurityPolicy(options.brand),
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex, nofollow',
    },
  });
}

/** Allows these origins to frame the response. With an empty list no page can frame it. */
export function allowFraming(answer: Response, origins: readonly string[]): Response {
  const policy = answer.headers.get('Content-Security-Policy');
  if (policy) answer.headers.set('Content-Security-Policy', replaceFrameAncestorsInCsp(policy, origins));
  return answer;
}

/** Redirects to `path` with GET after a form was posted. */
export function redirectAfterPost(path: string): Response {
  return new Response(null, {
    status: 303,
    headers: { Location: path, 'Cache-Control': 'no-store' },
  });
}

/**
 * Returns the IP address, browser and embedding site of a guest's action, for the audit trail. The
 * page's own URL contains the embedding site (assets/embed.ts).
 */
export function getGuestBrowserDetails(request: Request, embed_origins: readonly string[] = []): GuestBrowserDetails {
  return {
    ip: request.headers.get(CLIENT_IP_ADDRESS_HEADER),
    user_agent: request.headers.get('user-agent'),
    embedded_in: determineOriginThatEmbeddedPage(embed_origins, {
      dest: request.headers.get('sec-fetch-dest'),
      named: new URL(request.url).searchParams.get('embedded_in'),
    }),
  };
}

/**
 * Chooses the language of a page, in this order: the language switch, the reservation's language,
 * the browser, and the guest's stored language.
 */
export function choosePageLocale(request: Request, known: StoredGuestLanguage = NOTHING_KNOWN): GuestLocale {
  return chooseGuestPageLocale({
    explicit: new URL(request.url).searchParams.get('lang'),
    said: getLanguageToUseInsteadOfBrowserLanguage(known),
    accept_language: request.headers.get('accept-language'),
    stored: known.guest_locale,
  });
}

const NOTHING_KNOWN: StoredGuestLanguage = { locale: null, guest_locale: null };

/**
 * Returns the page for a link that cannot be used, for example because the reservation was
 * cancelled.
 */
export async function createUnusableGuestLinkResponse(
  state: GuestLinkState,
  page: {
    locale: GuestLocale;
    path: string;
    brand?: PropertyBrandView | null;
    safety_notes?: string | null;
    reference?: string | null;
    restored_on?: string | null;
    /** The HTTP status. By default, it depends on the state. */
    status?: number;
    test_mode?: boolean;
  },
): Promise<Response> {
  const model = {
    state,
    locale: page.locale,
    path: page.path,
    brand: page.brand ?? null,
    safety_notes: page.safety_notes ?? null,
    reference: page.reference ?? null,
    restored_on: page.restored_on ?? null,
    test_mode: page.test_mode ?? false,
  };
  return createHtmlResponse(await renderGuestLinkStatePage(model), {
    status: page.status ?? getGuestLinkStateHttpStatus(state),
    brand: model.brand,
  });
}

/**
 * Returns a page for an unknown certificate. After a restore from a backup, the page explains that
 * the certificate may have been lost.
 */
export async function createUnknownCertificateResponse(page: { locale: GuestLocale; path: string }): Promise<Response> {
  const last = (await listLoggedDatabaseRestores()).at(-1);
  return createUnusableGuestLinkResponse('unknown', {
    ...page,
    restored_on: last ? convertDatabaseDateToIsoDay(last.began_at) : null,
  });
}

/**
 * Runs `work`. After an error, returns a page with the id of the logged error. The status is 503
 * when the database or the file storage is unavailable.
 */
export async function runOrReturnFailurePage(request: Request, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    return createFailurePage(error, { locale: choosePageLocale(request), path: new URL(request.url).pathname });
  }
}

/** Logs an error and returns the page for it. */
export function createFailurePage(error: unknown, page: { locale: GuestLocale; path: string }): Promise<Response> {
  const reference = newId('request');
  logger().error({ request_id: reference, err: error }, 'a guest page failed');
  const { code } = (error ?? {}) as { code?: unknown };
  const away = code === 'service_unavailable' || isDatabaseUnavailableError(error) || isStorageError(error);
  return createUnusableGuestLinkResponse('error', { ...page, reference, ...(away && { status: 503 }) });
}

/** Parses the posted form. Throws `unsupported_media_type` when the body is not a valid form. */
export async function readPostedForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (cause) {
    throw new AppError('unsupported_media_type', { internal: cause });
  }
}
