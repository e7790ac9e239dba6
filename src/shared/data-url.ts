/** Returns an image as a data URL, which needs no second request. */
export const toImageDataUrl = (format: 'jpeg' | 'png', bytes: Uint8Array): string =>
  `data:image/${format};base64,${Buffer.from(bytes).toString('base64')}`;
