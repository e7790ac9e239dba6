/** The posted signing form as values, with what is wrong about each field. */
import { type GuestLocale, parseLocale } from '../locale';
import type { FieldError, SignField } from '../view-models';

const MAX_NAME = 120;
const MAX_DRAWING_BYTES = 300 * 1024;
const MAX_PHOTO_BYTES = 4 * 1024 * 1024;

export interface SignForm {
  intent: 'review' | 'send_code' | 'sign';
  locale: GuestLocale;
  displayed_hash: string;
  values: { typed_name: string; consent: boolean; otp_code: string };
  drawn_signature: Uint8Array | null;
  photo: Uint8Array | null;
  errors: FieldError<SignField>[];
}

type Image = { kind: 'none' } | { kind: 'ok'; bytes: Uint8Array } | { kind: 'invalid' } | { kind: 'too_large' };

const SIGNATURES = {
  png: [0x89, 0x50, 0x4e, 0x47],
  jpeg: [0xff, 0xd8, 0xff],
};

/** The bytes of a `data:image/…;base64,` URL, when they are what they say. */
function readImage(value: string, type: keyof typeof SIGNATURES, max: number): Image {
  if (!value) return { kind: 'none' };
  const prefix = `data:image/${type};base64,`;
  const encoded = value.slice(prefix.length);
  if (!value.startsWith(prefix) || !/^[A-Za-z0-9+/]+=*$/.test(encoded)) return { kind: 'invalid' };
  const bytes = new Uint8Array(Buffer.from(encoded, 'base64'));
  if (bytes.length > max) return { kind: 'too_large' };
  return SIGNATURES[type].every((byte, index) => bytes[index] === byte) ? { kind: 'ok', bytes } : { kind: 'invalid' };
}

const text = (form: FormData, name: string): string => {
  const value = form.get(name);
  // NUL cannot be stored, and half a surrogate pair would silently become another character.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for.
  return typeof value === 'string' ? value.replace(/\u0000/g, '').toWellFormed() : '';
};

/** Reads the form; nothing in it is trusted. */
export async function readSignForm(request: Request, photo_required: boolean): Promise<SignForm> {
  const form = await request.formData();
  const intent = text(form, 'intent');
  const typed_name = text(form, 'typed_name').trim().replace(/\s+/g, ' ');
  const consent = text(form, 'consent') === 'on';
  const drawing = readImage(text(form, 'drawn_signature'), 'png', MAX_DRAWING_BYTES);
  const photo = readImage(text(form, 'photo'), 'jpeg', MAX_PHOTO_BYTES);
  const errors: FieldError<SignField>[] = [];
  if (photo_required && photo.kind === 'none') errors.push({ field: 'photo', code: 'photo_required' });
  if (photo.kind === 'invalid') errors.push({ field: 'photo', code: 'photo_invalid' });
  if (photo.kind === 'too_large') errors.push({ field: 'photo', code: 'photo_too_large' });
  if (!typed_name) errors.push({ field: 'typed_name', code: 'name_required' });
  if (typed_name.length > MAX_NAME) errors.push({ field: 'typed_name', code: 'name_too_long' });
  if (drawing.kind === 'invalid' || drawing.kind === 'too_large')
    errors.push({ field: 'drawn_signature', code: 'signature_invalid' });
  if (!consent) errors.push({ field: 'consent', code: 'consent_required' });
  return {
    intent: intent === 'review' || intent === 'send_code' ? intent : 'sign',
    locale: parseLocale(text(form, 'locale')) ?? 'en',
    displayed_hash: text(form, 'displayed_hash'),
    values: { typed_name, consent, otp_code: text(form, 'otp_code').replace(/\s/g, '') },
    drawn_signature: drawing.kind === 'ok' ? drawing.bytes : null,
    photo: photo_required && photo.kind === 'ok' ? photo.bytes : null,
    errors,
  };
}
