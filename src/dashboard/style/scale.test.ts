import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SPACING_SCALE, TYPE_SCALE } from './scale';

const sources = readdirSync('src/dashboard', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
  .map((entry) => ({
    file: join(entry.parentPath, entry.name),
    text: readFileSync(join(entry.parentPath, entry.name), 'utf8'),
  }));

/** Every match of a pattern in the components, with where it is. */
const found = (pattern: RegExp) =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ file, name: match[0], value: match[1] ?? '' })),
  );

it('type has the sizes of the scale and no others', () => {
  const sizes = found(/(?<![\w-])text-(xs|sm|base|lg|xl|\dxl|\[[\d.]+(?:px|rem|em)\])(?![\w-])/g);
  expect(sizes.length).toBeGreaterThan(300);
  const known = TYPE_SCALE.map(({ name }) => name as string);
  expect(sizes.filter(({ name }) => !known.includes(name))).toEqual([]);
});

it('room between things has the steps of the scale and no others', () => {
  const steps = found(
    /(?<![\w-])-?(?:gap|gap-x|gap-y|p|px|py|pt|pr|pb|pl|m|mx|my|mt|mr|mb|ml)-(\d[\d.]*|\[[^\]]+\])(?![\w-])/g,
  );
  expect(steps.length).toBeGreaterThan(500);
  const known = SPACING_SCALE.map(String);
  expect(steps.filter(({ value }) => !known.includes(value))).toEqual([]);
});
