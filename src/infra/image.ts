/**
 * Pictures that strangers send, decoded and encoded anew, so that what is kept are pixels alone: no place, no camera, no
 * thumbnail, nothing hidden behind the picture, and no file that another program's decoder could be attacked with.
 * libvips does it on its own threads, with its readers of the two formats alone.
 */

/** What libvips reads holds for the whole process, so Next's copy of this module opens it no second time (ARCHITECTURE, "Two copies of every module"). */
const slot = globalThis as typeof globalThis & { __thresholdPictures?: ReturnType<typeof openPictures> | undefined };

/** libvips takes 24 MB and a tenth of a second: who never sees a picture does without. */
const pictures = () =>
  (slot.__thresholdPictures ??= openPictures().catch((error) => {
    slot.__thresholdPictures = undefined;
    throw error;
  }));

/** Called once: while it is blocked, a picture that another request decodes could not be read. */
async function openPictures() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
  return sharp;
}

export interface PictureLimits {
  format: 'jpeg' | 'png';
  /** The formats that may come; `format` alone unless given. */
  from?: readonly ('jpeg' | 'png')[];
  /** What may come. A small file can hold a great many. */
  most_pixels: number;
  /** What is kept; a larger picture is made smaller. */
  longest_side: number;
}

export type Picture = { kind: 'ok'; bytes: Uint8Array } | { kind: 'invalid' } | { kind: 'too_large' };

const MOST_SECONDS = 10;

/** The picture as its pixels alone, upright. */
export async function reencode(bytes: Uint8Array, limits: PictureLimits): Promise<Picture> {
  const { format, most_pixels, longest_side, from = [format] } = limits;
  // Outside of what follows: a library that cannot be loaded is no fault of the picture.
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
