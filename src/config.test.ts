import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseConfig } from './config';
import { Environment } from './environment';

const KEYS = { INNGEST_EVENT_KEY: '0123abcd', INNGEST_SIGNING_KEY: 'signkey-prod-0123456789abcdef' };
const SERVER = { INNGEST_BASE_URL: 'http://inngest:8288', ...KEYS };

it.each([
  ['an address without keys', { INNGEST_BASE_URL: SERVER.INNGEST_BASE_URL }, ['EVENT_KEY', 'SIGNING_KEY']],
  ['an event key alone', { INNGEST_EVENT_KEY: KEYS.INNGEST_EVENT_KEY }, ['SIGNING_KEY']],
  ['a signing key that is not hexadecimal', { ...SERVER, INNGEST_SIGNING_KEY: 'signkey-prod-secret' }, ['SIGNING_KEY']],
  ['half a byte of a signing key', { ...SERVER, INNGEST_SIGNING_KEY: 'abc' }, ['SIGNING_KEY']],
  ['an event key that cannot be part of a path', { ...SERVER, INNGEST_EVENT_KEY: 'a/b c' }, ['EVENT_KEY']],
  ['not a URL', { ...SERVER, INNGEST_BASE_URL: 'inngest:8288' }, ['BASE_URL']],
  ['an invalid origin', { ...SERVER, INNGEST_SERVE_ORIGIN: 'app' }, ['SERVE_ORIGIN']],
])('rejects unusable Inngest settings and names each wrong variable: %s', (_name, env, wrong) => {
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
])('accepts usable Inngest settings: %s', (_name, env) => {
  expect(parseConfig(env).inngest === null).toBe(Object.keys(env).length === 0);
});

const problems = (env: Record<string, string>) => {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
};

it.each([
  ['APP_URL', 'guests.example.com'],
  ['APP_URL', 'localhost:3000'],
  ['APP_URL', 'ftp://guests.example.com'],
  ['APP_URL', 'https://example.com/threshold'],
  ['APP_URL', 'https://user@example.com'],
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['PORT', '3000.5'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '10.0.0.0/8, loopback'],
  ['MAIL_FROM', 'Casa Azul'],
  ['MAIL_FROM', 'Casa Azul <stay@>'],
  ['INBOUND_DOMAIN', 'https://in.example.com'],
  ['CHANNEL_A_MAIL_DOMAINS', 'a@example.com'],
  ['OPERATOR_EMAILS', 'olga@example.com; otto@example.com'],
  ['TSA_URL', 'tsa.example.com'],
  ['LOG_WITNESSES', 'witness.example.com https://witness.example.com'],
  ['RESEND_BASE_URL', 'api.resend.com'],
  ['RESEND_REQUESTS_PER_SECOND', '0'],
  ['RATE_LIMIT_READ_PER_MINUTE', '0'],
  ['RATE_LIMIT_WRITE_PER_MINUTE', 'many'],
  ['DATABASE_POOL_SIZE', '-1'],
  ['LOG_LEVEL', 'verbose'],
  ['OUTBOUND_ALLOW_LOOPBACK', 'yes'],
  ['WEBHOOK_RETRY_DELAYS_S', '1,soon'],
])('rejects %s=%s with one line that states the expected value', (name, value) => {
  const [line = '', ...rest] = problems({ [name]: value });
  expect(rest).toEqual([]);
  expect(line).toMatch(new RegExp(`^ {2}${name}: has to be .*; it is “`));
  expect(line).toContain(`“${value}”`);
});

it.each([
  ['APP_SECRET', 'too-short-to-be-secret'],
  ['DATABASE_URL', 'mysql://user:hunter2@db/threshold'],
  ['REDIS_URL', 'https://user:hunter2@redis'],
  ['INNGEST_SIGNING_KEY', 'not-hexadecimal'],
])('does not print the value of an invalid %s', (name, value) => {
  const lines = problems({ INNGEST_DEV: '1', [name]: value });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(new RegExp(`^ {2}${name}: has to `));
  expect(lines[0]).not.toContain(value);
  expect(lines[0]).not.toContain('hunter2');
});

it('names all invalid variables in one error', () => {
  const names = problems({ PORT: 'x', APP_URL: 'y', REDIS_URI: 'redis://z' }).map((line) => line.trim().split(':')[0]);
  expect(names).toEqual(['PORT', 'APP_URL', 'REDIS_URI']);
});

it.each([
  ['REDIS_URI', 'REDIS_URL'],
  ['RESEND_APIKEY', 'RESEND_API_KEY'],
  ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
  ['app_secret', 'APP_SECRET'],
  ['DATABASE-URL', 'DATABASE_URL'],
  ['RATE_LIMIT_READ_PER_MINUT', 'RATE_LIMIT_READ_PER_MINUTE'],
])('reports %s as a misspelling of %s, unless that is set too', (name, meant) => {
  expect(problems({ [name]: 'x' })).toEqual([`  ${name}: no such variable; did you mean ${meant}?`]);
  const right: Record<string, string> = {
    REDIS_URL: 'redis://r',
    RESEND_API_KEY: 'k',
    TRUSTED_PROXIES: '10.0.0.1',
    APP_SECRET: 'x'.repeat(32),
    DATABASE_URL: 'postgres://d/t',
    RATE_LIMIT_READ_PER_MINUTE: '5',
  };
  const ours = /^(RESEND|RATE_LIMIT)_/.test(name) ? [`  ${name}: no such variable; .env.example lists all`] : [];
  expect(problems({ [name]: 'x', [meant]: right[meant] as string })).toEqual(ours);
});

it.each(['RATE_LIMIT_READ', 'OIDC_SCOPES', 'SMTP_HOST', 'METRICS_PASSWORD', 'RESEND_KEY_FILE'])(
  'rejects %s, an unknown variable with one of our prefixes',
  (name) => {
    expect(problems({ [name]: 'x' })).toEqual([expect.stringContaining(`${name}: no such variable`)]);
  },
);

it('rejects a metrics token that is short enough to guess', () => {
  expect(problems({ METRICS_TOKEN: 'x' })).toEqual([expect.stringContaining('METRICS_TOKEN: has to be at least 16')]);
});

it('README documents every variable that an installation can set', () => {
  const readme = readFileSync('README.md', 'utf8');
  // Variables that exist only for tests and demonstrations.
  const left_out = ['NODE_ENV', 'WEBHOOK_RETRY_DELAYS_S'];
  const missing = Object.keys(Environment.shape).filter(
    (name) => !left_out.includes(name) && !readme.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});

it('ignores variables of other programs, and treats a blank variable as unset', () => {
  const others = ['PATH', 'HOME', 'HOSTNAME', 'API_URL', 'PORTS', 'NODE_OPTIONS', 'REDIS_HOST', 'npm_config_cache'];
  expect(problems(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  expect(parseConfig({ PORT: ' ', RATE_LIMIT_READ_PER_MINUTE: '', APP_URL: '', TRUSTED_PROXIES: '' })).toMatchObject({
    port: 3000,
    rate_limit_read_per_minute: 100,
    app_url: 'http://localhost:3000',
    trusted_proxies: [],
  });
});

const RESEND = 'RESEND_API_KEY';
const MAIL_FROM = 'Casa Azul <stay@casa-azul.example>';

it.each([
  ['smtps://post:secret@mail.example.com:465'],
  ['smtp://post:p%40ss@mail.example.com'],
  ['smtp://[::1]:25?starttls=off'],
])('accepts the mail server %s', (SMTP_URL) => {
  expect(parseConfig({ SMTP_URL, MAIL_FROM })).toMatchObject({ smtp_url: SMTP_URL, mails_per_second: 5 });
});

it.each([
  ['not a URL', { SMTP_URL: 'mail.example.com:587' }, 'SMTP_URL: has to be an address'],
  ['another scheme', { SMTP_URL: 'https://mail.example.com' }, 'SMTP_URL: has to be an address'],
  ['no host', { SMTP_URL: 'smtp://' }, 'SMTP_URL: has to be an address'],
  ['a path', { SMTP_URL: 'smtp://mail.example.com/inbox' }, 'SMTP_URL: has to be an address'],
  ['an unknown setting', { SMTP_URL: 'smtp://mail.example.com?tls=1' }, 'SMTP_URL: has to be an address'],
  ['a user name without a password', { SMTP_URL: 'smtp://post@mail.example.com' }, 'SMTP_URL: has to be an address'],
  [
    'a password that cannot be decoded',
    { SMTP_URL: 'smtp://post:100%@mail.example.com' },
    'SMTP_URL: has to be an address',
  ],
  [
    'a password without TLS',
    { SMTP_URL: 'smtp://post:secret@mail.example.com?starttls=off' },
    'SMTP_URL: has a password',
  ],
  [
    'SMTP and Resend together',
    { SMTP_URL: 'smtp://mail.example.com', [RESEND]: 're_1' },
    'SMTP_URL: set together with RESEND_API_KEY',
  ],
  ['no sender', { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: '' }, 'MAIL_FROM: missing'],
  [
    'an OIDC provider without a client secret',
    { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'us' },
    'OIDC_CLIENT_SECRET: missing',
  ],
  ['an OIDC issuer that is not a URL', { OIDC_ISSUER: 'login.example.com' }, 'OIDC_ISSUER: has to be an address'],
])('rejects with one line that names the variable and contains no password: %s', (_name, env, line) => {
  const found = problems({ MAIL_FROM, ...env });
  expect(found).toHaveLength(1);
  expect(found[0]?.trim().startsWith(line)).toBe(true);
  expect(found[0]).not.toMatch(/secret|100%@/);
});

it.each([
  ['https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket'],
  ['http://KEY:a%2Fb%40c@10.0.0.7:9000/bucket/folder/?region=eu-test-1'],
])('accepts the file storage %s', (STORAGE_URL) => {
  expect(parseConfig({ STORAGE_URL })).toMatchObject({ storage_url: STORAGE_URL, storage_write: true });
  const off = `${STORAGE_URL}${STORAGE_URL.includes('?') ? '&' : '?'}write=off`;
  expect(parseConfig({ STORAGE_URL: off })).toMatchObject({ storage_url: off, storage_write: false });
  expect(parseConfig({})).toMatchObject({ storage_url: undefined, storage_write: false });
});

it.each([
  ['not a URL', 'bucket'],
  ['another scheme', 's3://KEY:secret@bucket'],
  ['no bucket', 'https://KEY:secret@s3.example.com'],
  ['no key', 'https://s3.example.com/bucket'],
  ['a key without a secret', 'https://KEY@s3.example.com/bucket'],
  ['a secret that cannot be decoded', 'https://KEY:secret%@s3.example.com/bucket'],
  ['an unknown setting', 'https://KEY:secret@s3.example.com/bucket?acl=public'],
  ['an invalid value of a setting', 'https://KEY:secret@s3.example.com/bucket?write=on'],
  ['an invalid region', 'https://KEY:secret@s3.example.com/bucket?region=eu%20west'],
  ['an empty folder name', 'https://KEY:secret@s3.example.com/bucket//x'],
])('rejects the file storage with one line that does not contain its secret: %s', (_name, STORAGE_URL) => {
  const found = problems({ STORAGE_URL });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/^ {2}STORAGE_URL: has to be an address like https:.*; it is another \(not shown\)$/);
  expect(found[0]).not.toContain('secret@');
});
