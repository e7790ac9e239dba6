import { expect, it } from 'vitest';
import { acceptsEncoding } from './accepts-encoding';

it.each(['gzip', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.8, *;q=0.1', 'GZIP', 'identity, gzip ; q=0.001'])(
  '“%s” accepts gzip',
  (header) => expect(acceptsEncoding(header)).toBe(true),
);

it.each([undefined, '', 'identity', 'br', 'x-gzip', 'gzip;q=0', 'gzip; q=0.000, identity', 'gzipped'])(
  '“%s” does not accept gzip',
  (header) => expect(acceptsEncoding(header)).toBe(false),
);
