/** A property's logo for its certificates: the uploaded one, else fetched through the outbound guard, bounded, and left out when it cannot be had. */
import { config } from '@/config';
import { logger } from '@/infra/logger';
import { safeFetch } from '@/infra/outbound/client';
import { readLogo } from '@/modules/properties/logo/service';

const MAX_LOGO_BYTES = 1024 * 1024;

/** PNG or JPEG bytes, or null. Never throws: a missing logo must not keep a certificate from being sealed. */
export async function fetchLogo(url: string): Promise<Uint8Array | null> {
  try {
    const own = await readLogo(url);
    if (own) return new Uint8Array(own.bytes);
    const response = await safeFetch(url, {
      timeout_ms: 5_000,
      max_body_bytes: MAX_LOGO_BYTES,
      max_redirects: 3,
      allow_loopback: config().outbound_allow_loopback,
    });
    if (response.status !== 200 || response.truncated) return null;
    const { body } = response;
    const png = body.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    const jpeg = body[0] === 0xff && body[1] === 0xd8;
    return png || jpeg ? new Uint8Array(body) : null;
  } catch (error) {
    logger().info({ err: error }, 'a logo could not be fetched');
    return null;
  }
}
