/** Serves `/logo/…`: an uploaded logo, for anyone who has its URL. */
import { config } from '@/config';
import { readLogo } from './service';

export async function serveLogo(file: string): Promise<Response> {
  const logo = await readLogo(`${config().app_url}/logo/${file}`);
  if (!logo) return new Response('There is no such logo.', { status: 404, headers: { 'Cache-Control': 'no-store' } });
  return new Response(new Uint8Array(logo.bytes), {
    headers: {
      'Content-Type': logo.media_type,
      // Browsers may cache a logo forever, because a new logo gets a new URL.
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  });
}
