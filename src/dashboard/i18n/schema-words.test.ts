import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { englishWords } from './english-words';
import { schemaWords, WRONG } from './schema-words';

const t = englishWords('ui');
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

it.each([...Object.keys(WRONG), 'must have at most 120 characters', 'must be something new'])(
  'in English says what the schemas say: %s',
  (message) => {
    expect(schemaWords(message, t)).toBe(sentence(message));
  },
);

it('every one of them is still said by a schema', () => {
  const schemas = ['src/shared/schemas.ts', 'src/modules/packets/schemas.ts', 'src/modules/properties/schemas.ts']
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(Object.keys(WRONG).filter((message) => !schemas.includes(`'${message}'`))).toEqual([]);
});
