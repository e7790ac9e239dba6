/** What a guest gave beside name and photo, opened: the drawn signature. */
import { appSecret } from '@/config';
import { decryptBytes } from '@/infra/encryption';
import { DRAWING_PURPOSE } from '@/modules/signing/service';

/** Throws when what is stored is not what was encrypted. */
export const openDrawing = (stored: Uint8Array | null) => stored && decryptBytes(appSecret(), DRAWING_PURPOSE, stored);
