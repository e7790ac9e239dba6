/**
 * Validates images for a certificate: a logo from a URL, or a signature from a phone. An unreadable
 * image, or one that inflates to gigabytes, must not prevent the certificate from being sealed.
 */
import { inflateSync } from 'node:zlib';

export interface EmbeddableImage {
  data: Buffer;
  format: 'png' | 'jpg';
}

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_SIDE = 4096;
/** The maximum size of an inflated PNG: four bytes per pixel, and a filter byte per line. */
const MAX_INFLATED = MAX_SIDE * MAX_SIDE * 4 + MAX_SIDE;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns the image, or null when it is not a PNG or JPEG of a reasonable size. */
export function parseEmbeddableImage(bytes: Uint8Array | null | undefined): EmbeddableImage | null {
  if (!bytes || bytes.length > MAX_BYTES) return null;
  const data = Buffer.from(bytes);
  const png = pngSize(data);
  if (png) return hasUsableSize(png) ? { data, format: 'png' } : null;
  const jpeg = jpegSize(data);
  if (jpeg) return hasUsableSize(jpeg) ? { data, format: 'jpg' } : null;
  return null;
}

interface Size {
  width: number;
  height: number;
}

const hasUsableSize = ({ width, height }: Size) => width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE;

function pngSize(data: Buffer): Size | null {
  if (data.length < 57 || !data.subarray(0, 8).equals(PNG_SIGNATURE)) return null;
  if (data.toString('latin1', 12, 16) !== 'IHDR' || !canInflate(data)) return null;
  return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

/** Returns whether the pixels can be inflated. The renderer would crash on a truncated image. */
function canInflate(png: Buffer): boolean {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    if (at + 12 + length > png.length) return false;
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    if (type === 'IEND') break;
    at += 12 + length;
  }
  try {
    return inflateSync(Buffer.concat(parts), { maxOutputLength: MAX_INFLATED }).length > 0;
  } catch {
    return false;
  }
}

/** Returns the size in the JPEG's frame header. The renderer can embed only SOF0 to SOF2. */
function jpegSize(data: Buffer): Size | null {
  if (data.length < 12 || data.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 < data.length) {
    if (data[at] !== 0xff) return null;
    const marker = data[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc2)
      return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    if (marker === 0xd8 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9)) return null;
    at += 2 + data.readUInt16BE(at + 2);
  }
  return null;
}
