import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The type scale: 12, 14, 16, 18, 24 and 30 pixels. */
const TYPE_SCALE = ['text-xs', 'text-sm', 'text-base', 'text-lg', 'text-2xl', 'text-3xl'];

/**
 * The allowed steps of Tailwind's spacing, in units of 4 pixels. Larger gaps belong to a page's
 * layout.
 */
const SPACING_SCALE = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 9, 12, 16].map(String);

const sources = readdirSync('src/dashboard', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
  .map((entry) => ({
    file: join(entry.parentPath, entry.name),
    text: readFileSync(join(entry.parentPath, entry.name), 'utf8'),
  }));

/** Returns every match of a pattern in the components, with its file. */
const found = (pattern: RegExp) =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ file, name: match[0], value: match[1] ?? '' })),
  );

it('text uses only the sizes of the type scale', () => {
  const sizes = found(/(?<![\w-])text-(xs|sm|base|lg|xl|\dxl|\[[\d.]+(?:px|rem|em)\])(?![\w-])/g);
  expect(sizes.length).toBeGreaterThan(300);
  expect(sizes.filter(({ name }) => !TYPE_SCALE.includes(name))).toEqual([]);
});

it('spacing uses only the steps of the spacing scale', () => {
  const steps = found(
    /(?<![\w-])-?(?:gap|gap-x|gap-y|p|px|py|pt|pr|pb|pl|m|mx|my|mt|mr|mb|ml)-(\d[\d.]*|\[[^\]]+\])(?![\w-])/g,
  );
  expect(steps.length).toBeGreaterThan(500);
  expect(steps.filter(({ value }) => !SPACING_SCALE.includes(value))).toEqual([]);
});
