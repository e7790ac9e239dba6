import { expect, it } from 'vitest';
import { said } from './said';

const result = {
  problem: null,
  rows: [{ id: 'res_1', outcome: 'refused', message: 'No.', shown: { guest_name: 'No.' } }, { message: null }],
  lines: [{ line: 2, problems: [{ field: 'source', message: 'No.' }], repeated: 'No.' }],
};

it('says the sentences of a result in the caller’s language, and nothing else of it', () => {
  const say = (sentence: string) => `¡${sentence}`;
  expect(said(result, { say })).toEqual({
    problem: null,
    rows: [{ id: 'res_1', outcome: 'refused', message: '¡No.', shown: { guest_name: 'No.' } }, { message: null }],
    lines: [{ line: 2, problems: [{ field: 'source', message: '¡No.' }], repeated: '¡No.' }],
  });
});

it('leaves a partner’s result as it is', () => {
  expect(said(result, {})).toBe(result);
});
