/**
 * Gives every page a Content-Security-Policy with a nonce of its own, so that no inline script but Next's own runs.
 * Pages are rendered per request for it (the root layout reads the request's headers).
 */
import { type NextRequest, NextResponse } from 'next/server';

function policy(nonce: string): string {
  const development = process.env.NODE_ENV === 'development';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // Positioned menus and charts set style attributes.
    "style-src 'self' 'unsafe-inline'",
    // A host's logo lies wherever the host put it; photos at signing and QR codes are blobs and data.
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    // Said for itself: what 'strict-dynamic' above means for the worker that shows notifications browsers do not agree on.
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
  // Layouts are not told their path, and signing in has to lead back to it.
  headers.set('x-threshold-path', request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', csp);
  return response;
}

export const config = {
  // An endpoint's portal answers with a stricter policy of its own.
  matcher: [{ source: '/((?!api/|_next/|logo/|portal/|icon.svg|favicon.ico).*)' }],
};
