/** Detects truncated picture files by their structure. */

/** Returns false for a truncated JPEG, PNG or WebP file, and true for any other file. Pure. */
export function isCompleteImage(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = bytes.length < 12 ? 0 : view.getUint32(0);
  if (magic >>> 8 === 0xffd8ff) return isWholeJpeg(view);
  if (magic === 0x89504e47) return isWholePng(view);
  // The RIFF header contains the length of all bytes after the first eight.
  if (magic === 0x52494646) return view.getUint32(4, true) + 8 <= bytes.length;
  return true;
}

/**
 * Follows the markers to the end of the image. A thumbnail inside a segment has its own end marker,
 * which does not count.
 */
function isWholeJpeg(view: DataView): boolean {
  let at = 2;
  while (at + 2 <= view.byteLength) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff || marker === 0xff || isCoded(marker)) at += 1;
    else if (marker === 0xd9) return true;
    else if (at + 4 > view.byteLength) return false;
    else at += 2 + view.getUint16(at + 2);
  }
  return false;
}

/**
 * Returns whether the byte after 0xff is part of the coded pixels: a stuffed zero or a restart
 * marker.
 */
const isCoded = (marker: number) => marker === 0 || (marker >= 0xd0 && marker <= 0xd7);

/** Follows the chunks to the last chunk, `IEND`. */
function isWholePng(view: DataView): boolean {
  let at = 8;
  while (at + 12 <= view.byteLength) {
    if (view.getUint32(at + 4) === 0x49454e44) return true;
    at += 12 + view.getUint32(at);
  }
  return false;
}
