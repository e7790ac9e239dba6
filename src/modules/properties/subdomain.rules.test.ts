import { expect, it } from 'vitest';
import { isReservedSubdomain } from './subdomain.rules';

it.each(['www', 'api', 'app', 'admin', 'mail', 'localhost', 'sign', 'ns1', 'www02', 'mx10'])(
  'the subdomain %s is reserved',
  (name) => {
    expect(isReservedSubdomain(name)).toBe(true);
  },
);

it.each(['casa-azul', 'villa7', '', '42', 'www-casa', 'mail123', 'apiary', 'my-app', 'a1pi'])(
  'the subdomain %s is available',
  (name) => {
    expect(isReservedSubdomain(name)).toBe(false);
  },
);
