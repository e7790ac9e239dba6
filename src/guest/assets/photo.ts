/**
 * The photo step. The picture is decoded, scaled down and encoded again, so that its location,
 * camera and thumbnail data never leave the device.
 */
import { findElement, setLiveRegionText, showOrHidePicture } from './dom';
import { isCompleteImage } from './whole-picture';

const MAX_SIDE_PX = 1_280;
/** The maximum length of the data URL. The server's own limit is higher. */
const MAX_CHARACTERS = 600_000;

export function startPhotoField(): void {
  const box = findElement<HTMLElement>('[data-photo]');
  const input = box && findElement<HTMLInputElement>('#photo', box);
  const field = box && findElement<HTMLInputElement>('input[name="photo"]', box);
  if (!box || !input || !field) return;
  const image = findElement<HTMLImageElement>('img', box);
  const status = findElement('[data-photo-status]', box);
  const label = findElement('label', box);
  // Without its name, the file field is not posted, so the original with its metadata stays on the
  // device. The script accepts any format that the browser can decode.
  input.removeAttribute('name');
  input.required = false;
  input.accept = 'image/*';

  input.addEventListener('change', async () => {
    const file = input.files?.[0];
    if (!file) return;
    field.value = '';
    showOrHidePicture(image, '');
    setLiveRegionText(status, box.dataset.working ?? '');
    try {
      field.value = await reencode(file);
      showOrHidePicture(image, field.value);
      setLiveRegionText(status, box.dataset.ready ?? '', 'good');
      if (label) label.textContent = box.dataset.retake ?? '';
      input.removeAttribute('aria-invalid');
      const error = findElement<HTMLElement>('#photo-error');
      if (error) error.hidden = true;
    } catch {
      setLiveRegionText(status, box.dataset.invalid ?? '', 'bad');
    }
    // Discards the original. The guest can then choose the same file again.
    input.value = '';
  });
}

async function reencode(file: File): Promise<string> {
  // Rejects truncated files, because browsers decode them and paint the missing part grey.
  if (!isCompleteImage(new Uint8Array(await file.arrayBuffer()))) throw new Error('the file is cut off');
  const picture = await decode(file);
  let side = Math.min(MAX_SIDE_PX, Math.max(picture.width, picture.height));
  for (const quality of [0.85, 0.75, 0.65, 0.55]) {
    const scale = side / Math.max(picture.width, picture.height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const url = canvas.toDataURL('image/jpeg', quality);
    if (url.startsWith('data:image/jpeg') && url.length <= MAX_CHARACTERS) return url;
    side = Math.round(side * 0.8);
  }
  throw new Error('the photo stays too large');
}

/**
 * Returns the picture in upright orientation. Browsers without createImageBitmap decode it with an
 * <img>.
 */
async function decode(file: File): Promise<ImageBitmap | HTMLImageElement> {
  if ('createImageBitmap' in window) {
    try {
      return await createImageBitmap(file, { imageOrientation: 'from-image' });
    } catch {
      // Older browsers do not support `imageOrientation`, and some formats can only be decoded with
      // an <img>.
    }
  }
  const image = new Image();
  const url = URL.createObjectURL(file);
  try {
    image.src = url;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(url);
  }
}
