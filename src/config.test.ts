import { expect, it } from 'vitest';
import { parseConfig } from './config';

const KEYS = { INNGEST_EVENT_KEY: '0123abcd', INNGEST_SIGNING_KEY: 'signkey-prod-0123456789abcdef' };
const SERVER = { INNGEST_BASE_URL: 'http://inngest:8288', ...KEYS };

it.each([
  ['an address without keys', { INNGEST_BASE_URL: SERVER.INNGEST_BASE_URL }, ['EVENT_KEY', 'SIGNING_KEY']],
  ['an event key alone', { INNGEST_EVENT_KEY: KEYS.INNGEST_EVENT_KEY }, ['SIGNING_KEY']],
  ['a signing key that is not hexadecimal', { ...SERVER, INNGEST_SIGNING_KEY: 'signkey-prod-secret' }, ['SIGNING_KEY']],
  ['half a byte of a signing key', { ...SERVER, INNGEST_SIGNING_KEY: 'abc' }, ['SIGNING_KEY']],
  ['an event key that is part of no path', { ...SERVER, INNGEST_EVENT_KEY: 'a/b c' }, ['EVENT_KEY']],
  ['no address', { ...SERVER, INNGEST_BASE_URL: 'inngest:8288' }, ['BASE_URL']],
  ['an origin that is none', { ...SERVER, INNGEST_SERVE_ORIGIN: 'app' }, ['SERVE_ORIGIN']],
])('refuses settings of an Inngest server that cannot work, and names the variable: %s', (_name, env, wrong) => {
  let message = '';
  try {
    parseConfig(env);
  } catch (error) {
    message = (error as Error).message;
  }
  expect([...message.matchAll(/^ {2}INNGEST_(\w+):/gm)].map((match) => match[1])).toEqual(wrong);
});

it.each([
  ['none', {}],
  ['a server with its keys', SERVER],
  ['Inngest Cloud', KEYS],
  ['the development server', { INNGEST_DEV: '1' }],
  ['the development server at an address', { INNGEST_DEV: '1', INNGEST_BASE_URL: 'http://localhost:8288' }],
])('takes settings that can work: %s', (_name, env) => {
  expect(parseConfig(env).inngest === null).toBe(Object.keys(env).length === 0);
});
