import { expect, it } from 'vitest';
import { setServerUnreachableMessage, toDisplayableError } from './read-error';

it('a server error keeps its code, field and request id', () => {
  const error = { code: 'invalid_field', message: 'No.', param: 'name', request_id: 'req_1' };
  expect(toDisplayableError({ data: { httpStatus: 400, error } })).toEqual({ status: 400, ...error });
});

it.each([new TypeError('fetch failed'), null, { data: null }, 'text'])(
  '%s is treated as an unreachable network',
  (thrown) => {
    setServerUnreachableMessage('Keine Verbindung.');
    expect(toDisplayableError(thrown)).toMatchObject({
      status: 503,
      code: 'network',
      message: 'Keine Verbindung.',
      request_id: null,
    });
  },
);
