import sharp from 'sharp';
import { expect, it } from 'vitest';
import { reencodePicture } from './image';

const LIMITS = { format: 'jpeg', most_pixels: 1_000_000, longest_side: 100 } as const;

it('reads each of many concurrent images', async () => {
  const bytes = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#0f5e56' } })
    .jpeg()
    .toBuffer();
  const kinds = new Set<string>();
  const readMany = async () => {
    for (let index = 0; index < 300; index++) kinds.add((await reencodePicture(bytes, LIMITS)).kind);
  };
  await Promise.all(Array.from({ length: 8 }, readMany));
  expect([...kinds]).toEqual(['ok']);
});
