/** What a guest gave beside name and photo, opened: the drawn signature. */
import { DRAWING_PURPOSE } from '@/modules/signing/service';
import { openStored } from '../files/read';

/** Throws UnreadableFile. */
export const openDrawing = async (stored: Uint8Array | null) => stored && openStored(DRAWING_PURPOSE, stored);
