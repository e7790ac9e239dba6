/** Parses the posted signing form and finds the errors of each field. */

import { type ImageReencodeResult, type PictureLimits, reencodePicture } from '@/infra/image';
import { GUEST_REPLY_KINDS, type GuestReplyKind } from '@/modules/reservations/schemas';
import { MAX_GUEST_REPLY_LENGTH } from '@/modules/signing/packet-view';
import { ACCEPTANCE_STATEMENT_NAMES, type AcceptanceStatementName } from '@/shared/guest-text/acceptances';
import { type GuestLocale, parseLocale } from '@/shared/guest-text/locale';
import { LETTER_PATTERN, normalizeMultilineText, normalizeSingleLineText } from '@/shared/guest-text/names';
import type { FieldError, SignFormField } from '../view-models';

const MAX_NAME = 120;
const MAX_DRAWING_BYTES = 300 * 1024;
const MAX_PHOTO_BYTES = 4 * 1024 * 1024;
/**
 * The size limit of a file that the page's script did not scale down, such as a photo from a phone.
 */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

export interface SubmittedSignForm {
  intent: 'review' | 'send_code' | 'sign';
  locale: GuestLocale;
  displayed_hash: string;
  values: { typed_name: string; otp_code: string };
  /** Statements that the guest accepted separately. */
  accepted: AcceptanceStatementName[];
  drawn_signature: Uint8Array | null;
  photo: Uint8Array | null;
  errors: FieldError<SignFormField>[];
}

/**
 * The limits of a picture from the page's script, which scales pictures down to far below these
 * limits.
 */
const PHOTO: PictureLimits = { format: 'jpeg', most_pixels: 25_000_000, longest_side: 1_280 };
const DRAWING: PictureLimits = { format: 'png', most_pixels: 4_000_000, longest_side: 1_600 };

/** The limits of a photo from a camera that the page's script did not scale down. */
const PHOTO_FILE: PictureLimits = { ...PHOTO, from: ['jpeg', 'png'], most_pixels: 50_000_000 };

/** Reads a posted file and re-encodes the picture. */
async function readFile(file: FormDataEntryValue | null): Promise<ImageReencodeResult | { kind: 'none' }> {
  if (!(file instanceof File) || file.size === 0) return { kind: 'none' };
  if (file.size > MAX_FILE_BYTES) return { kind: 'too_large' };
  return reencodePicture(new Uint8Array(await file.arrayBuffer()), PHOTO_FILE);
}

/** Reads a valid `data:image/…;base64,` URL and re-encodes the picture. */
async function readImage(
  value: string,
  max: number,
  limits: PictureLimits,
): Promise<ImageReencodeResult | { kind: 'none' }> {
  if (!value) return { kind: 'none' };
  const prefix = `data:image/${limits.format};base64,`;
  const encoded = value.slice(prefix.length);
  if (!value.startsWith(prefix) || !/^[A-Za-z0-9+/]+=*$/.test(encoded)) return { kind: 'invalid' };
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length > max ? { kind: 'too_large' } : reencodePicture(bytes, limits);
}

const text = (form: FormData, name: string): string => {
  const value = form.get(name);
  // The database cannot store NUL. Half of a surrogate pair would silently become another
  // character.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches NUL on purpose.
  return typeof value === 'string' ? value.replace(/\u0000/g, '').toWellFormed() : '';
};

/**
 * Returns the guest's message instead of a signature. Returns null when the form contains none, and
 * `too_long` for a message longer than the page allows.
 */
export function readGuestReplyFromForm(form: FormData): { kind: GuestReplyKind; message: string } | 'too_long' | null {
  const kind = GUEST_REPLY_KINDS.find((one) => one === text(form, 'intent'));
  if (!kind) return null;
  const typed = text(form, 'guest_message');
  // Limits the length before any processing. Forms send a line break as two characters, so twice
  // the length is allowed.
  if (typed.length > 2 * MAX_GUEST_REPLY_LENGTH) return 'too_long';
  const message = normalizeMultilineText(typed);
  return message.length > MAX_GUEST_REPLY_LENGTH ? 'too_long' : { kind, message };
}

/** Parses the form. All input is untrusted. */
export async function readSignForm(
  form: FormData,
  { photo_required, acceptances }: { photo_required: boolean; acceptances: readonly string[] },
): Promise<SubmittedSignForm> {
  const intent = text(form, 'intent');
  const typed_name = normalizeSingleLineText(text(form, 'typed_name'));
  const consent = text(form, 'consent') === 'on';
  const drawing = await readImage(text(form, 'drawn_signature'), MAX_DRAWING_BYTES, DRAWING);
  // A newly chosen file replaces a photo that was posted earlier.
  const file = photo_required ? await readFile(form.get('photo_file')) : ({ kind: 'none' } as const);
  const posted = photo_required && file.kind === 'none' ? text(form, 'photo') : '';
  const photo = file.kind === 'none' ? await readImage(posted, MAX_PHOTO_BYTES, PHOTO) : file;
  const errors: FieldError<SignFormField>[] = [];
  if (photo_required && photo.kind === 'none') errors.push({ field: 'photo', code: 'photo_required' });
  if (photo.kind === 'invalid') errors.push({ field: 'photo', code: 'photo_invalid' });
  if (photo.kind === 'too_large') errors.push({ field: 'photo', code: 'photo_too_large' });
  if (!LETTER_PATTERN.test(typed_name)) errors.push({ field: 'typed_name', code: 'name_required' });
  if ([...typed_name].length > MAX_NAME) errors.push({ field: 'typed_name', code: 'name_too_long' });
  if (drawing.kind === 'invalid' || drawing.kind === 'too_large')
    errors.push({ field: 'drawn_signature', code: 'signature_invalid' });
  if (!consent) errors.push({ field: 'consent', code: 'consent_required' });
  const accepted = ACCEPTANCE_STATEMENT_NAMES.filter((name) => text(form, `accept_${name}`) === 'on');
  for (const name of ACCEPTANCE_STATEMENT_NAMES)
    if (acceptances.includes(name) && !accepted.includes(name))
      errors.push({ field: `accept_${name}`, code: 'acceptance_required' });
  return {
    intent: intent === 'review' || intent === 'send_code' ? intent : 'sign',
    locale: parseLocale(text(form, 'locale')) ?? 'en',
    displayed_hash: text(form, 'displayed_hash'),
    values: { typed_name, otp_code: text(form, 'otp_code').replace(/\s/g, '') },
    accepted,
    drawn_signature: drawing.kind === 'ok' ? drawing.bytes : null,
    photo: photo.kind === 'ok' ? photo.bytes : null,
    errors,
  };
}
