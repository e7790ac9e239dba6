/**
 * Stores a property's uploaded logo under an unguessable URL. Stores only the pixels, not the
 * picture's metadata.
 */

import { randomBytes } from 'node:crypto';
import { config } from '@/config';
import type { Property } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { reencodePicture } from '@/infra/image';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { createRefusal, type Refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { retrieveProperty, updateProperty } from '../service';
import * as repository from './repository';

/**
 * The maximum size of an uploaded picture, in pixels. Stored logos are scaled down to LONGEST_SIDE.
 */
const MOST_PIXELS = 25_000_000;
const LONGEST_SIDE = 512;
/** The number of older logos to keep, because sent mails may show them. */
const KEPT = 10;

/** The path of a logo. Requests for logos need no session, because mail clients have none. */
const PATH = /\/logo\/([0-9a-f]{32})\.(png|jpg)$/;

const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, at) => bytes[at] === byte);

function formatOf(bytes: Uint8Array): 'png' | 'jpeg' | null {
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47)) return 'png';
  return startsWith(bytes, 0xff, 0xd8) ? 'jpeg' : null;
}

const unusable = (message: Refusal) => new AppError('invalid_field', { param: 'picture', message });

/**
 * Stores a picture as the property's logo. Throws resource_missing, invalid_field and
 * concurrent_edit.
 */
export async function uploadLogo(scope: Scope, property_id: string, given: Uint8Array): Promise<Property> {
  await retrieveProperty(scope, property_id);
  const format = formatOf(given);
  if (!format) throw unusable(createRefusal('logo_is_png_or_jpeg'));
  const picture = await reencodePicture(given, { format, most_pixels: MOST_PIXELS, longest_side: LONGEST_SIDE });
  if (picture.kind === 'too_large') throw unusable(createRefusal('too_many_pixels'));
  if (picture.kind === 'invalid') throw unusable(createRefusal('picture_cannot_be_read'));
  const id = randomBytes(16).toString('hex');
  const row = { id, property_id, media_type: `image/${format}`, bytes: picture.bytes, created_at: clock().now() };
  return inTransaction(scope, async () => {
    await repository.insertLogo(scope, row);
    await repository.deleteAllButNewestLogos(scope, property_id, KEPT);
    const logo_url = `${config().app_url}/logo/${id}.${format === 'png' ? 'png' : 'jpg'}`;
    return updateProperty(scope, property_id, { logo_url }, null);
  });
}

/** Returns the logo at a URL of this server, or null for any other URL. */
export async function readLogo(url: string): Promise<repository.LogoImage | null> {
  const base = config().app_url;
  const id = url.startsWith(`${base}/`) ? PATH.exec(url)?.[1] : undefined;
  return id ? repository.findLogo(id) : null;
}
