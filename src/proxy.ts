/**
 * Gives every page a Content-Security-Policy with its own nonce, so that only Next's inline scripts
 * run. This requires rendering each page per request (the root layout reads the request's headers).
 */
import { type NextRequest, NextResponse } from 'next/server';

function policy(nonce: string): string {
  const development = process.env.NODE_ENV === 'development';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // Needed for positioned menus and charts, which set style attributes.
    "style-src 'self' 'unsafe-inline'",
    // Hosts may store their logos on any server. Photos at signing and QR codes are blobs and data
    // URLs.
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    // Listed explicitly, because browsers disagree on whether 'strict-dynamic' above allows the
    // worker that shows notifications.
    "worker-src 'self'",
    "frame-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export function proxy(request: NextRequest) {
  const nonce = Buffer.from(crypto.randomUUID()).toString('base64');
  const csp = policy(nonce);
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', csp);
  // Layouts do not receive the path, which they need so that sign-in can return to the page.
  headers.set('x-threshold-path', request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', csp);
  return response;
}

export const config = {
  // The portal page of an endpoint is excluded, because it sets its own, stricter
  // Content-Security-Policy.
  matcher: [{ source: '/((?!api/|_next/|logo/|portal/|icon.svg|favicon.ico).*)' }],
};
