/**
 * Decodes and re-encodes pictures from strangers, so that only the pixels are kept. The result
 * contains no location, camera, thumbnail or hidden data, and cannot attack the decoder of another
 * program. libvips decodes on its own threads, and only its readers for two formats are enabled.
 */

/**
 * Holds the loaded library for both copies of this module (ARCHITECTURE, "Two copies of every
 * module"). libvips settings apply to the whole process, so the library must be opened only once.
 */
const slot = globalThis as typeof globalThis & { __thresholdPictures?: ReturnType<typeof openPictures> | undefined };

/** Loads the library on demand, because libvips takes 24 MB and a tenth of a second. */
const pictures = () =>
  (slot.__thresholdPictures ??= openPictures().catch((error) => {
    slot.__thresholdPictures = undefined;
    throw error;
  }));

/**
 * Opens the library and blocks its readers of all formats except JPEG and PNG. Called only once,
 * because blocking readers again would fail a picture that another request is decoding.
 */
async function openPictures() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
  return sharp;
}

export interface PictureLimits {
  format: 'jpeg' | 'png';
  /** Accepted formats. Default: `format` only. */
  from?: readonly ('jpeg' | 'png')[];
  /** Maximum number of pixels, because a small file can contain a huge picture. */
  most_pixels: number;
  /** Longest side in pixels. Larger pictures are scaled down. */
  longest_side: number;
}

export type ImageReencodeResult = { kind: 'ok'; bytes: Uint8Array } | { kind: 'invalid' } | { kind: 'too_large' };

const MOST_SECONDS = 10;

/** Re-encodes a picture from its pixels only, in upright orientation. */
export async function reencodePicture(bytes: Uint8Array, limits: PictureLimits): Promise<ImageReencodeResult> {
  const { format, most_pixels, longest_side, from = [format] } = limits;
  // The library is loaded outside the try block, because a failure to load it does not mean that
  // the picture is invalid.
  const sharp = await pictures();
  try {
    const options = { limitInputPixels: most_pixels, failOn: 'error', sequentialRead: true } as const;
    const found = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
    if (!from.some((one) => one === found.format)) return { kind: 'invalid' };
    if (found.width * found.height > most_pixels) return { kind: 'too_large' };
    const pixels = sharp(bytes, options)
      .timeout({ seconds: MOST_SECONDS })
      .autoOrient()
      .resize({ width: longest_side, height: longest_side, fit: 'inside', withoutEnlargement: true });
    const encoded = format === 'jpeg' ? pixels.flatten({ background: '#fff' }).jpeg({ quality: 85 }) : pixels.png();
    return { kind: 'ok', bytes: new Uint8Array(await encoded.toBuffer()) };
  } catch {
    return { kind: 'invalid' };
  }
}
