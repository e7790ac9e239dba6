/** What a guest gave beside the name, opened: the drawn signature and the photo. */
import { appSecret } from '@/config';
import { decryptBytes } from '@/infra/encryption';
import { DRAWING_PURPOSE, PHOTO_PURPOSE } from '@/modules/signing/service';

/** Throws when what is stored is not what was encrypted. */
export const openDrawing = (stored: Uint8Array | null) => stored && decryptBytes(appSecret(), DRAWING_PURPOSE, stored);

/** Throws when what is stored is not what was encrypted. */
export const openPhoto = (stored: Uint8Array | null) => stored && decryptBytes(appSecret(), PHOTO_PURPOSE, stored);
