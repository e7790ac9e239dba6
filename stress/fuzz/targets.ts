/**
 * Generates requests to everything that strangers can reach: `/v1`, the dashboard's procedures, the
 * guests' forms, and the routes for mail and webhooks.
 */
import { z } from 'zod';
import { buildOpenApiDocument } from '@/api/openapi';
import { inlineOpenApiComponentReferences } from '@/api/openapi-components';
import { appRouter } from '@/api/router';
import { selectHostVariantOfSchema } from '@/api/trpc/host-part';
import type { Random } from '@/testing/random';
import {
  generateHostileText,
  generateHostileValue,
  generateValueForSchema,
  type JsonSchemaForValueGeneration,
  KnownResourceIds,
} from './values';

export interface GeneratedRequest {
  /** The request's name, which is printed when the request fails. */
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

export interface FuzzCredentials {
  keys: [string, ...string[]];
  /** The `Cookie` header of a signed-in owner. */
  cookie: string;
  origin: string;
  /** Tokens of signing links, copy links, verify links and open pixels. */
  tokens: [string, ...string[]];
  inbound_secret: string;
  ids: KnownResourceIds;
}

type Gun = (random: Random, known: FuzzCredentials) => GeneratedRequest;

const json = { 'content-type': 'application/json' };
const url = (text: string) => encodeURIComponent(text.toWellFormed());

/** Returns a JSON body, sometimes malformed. */
function bodyOf(value: unknown, random: Random): string {
  const text = JSON.stringify(value) ?? '';
  if (random.chance(0.95)) return text;
  return random.pick([
    '',
    text.slice(0, -1),
    `${text}${text}`,
    'null',
    '[]',
    '"x"',
    '{"a":1,"a":2}',
    '['.repeat(20_000),
    `{"a":${'9'.repeat(5_000)}}`,
    `\ufeff${text}`,
    '\u0000',
  ]);
}

function oddHeaders(random: Random): Record<string, string> {
  if (random.chance(0.7)) return {};
  const printable = generateHostileText(random)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 12_000);
  return {
    [random.pick([
      'idempotency-key',
      'if-match',
      'if-none-match',
      'accept-language',
      'user-agent',
      'x-forwarded-for',
      'origin',
      'referer',
      'accept',
      'content-type',
      'range',
      'cookie',
      'x-threshold-mode',
      'x-threshold-client-ip',
      'next-action',
      'rsc',
    ])]: printable,
  };
}

interface Operation {
  parameters?: { name: string; in: string; schema: JsonSchemaForValueGeneration }[];
  requestBody?: { content: { 'application/json': { schema: JsonSchemaForValueGeneration } } };
}

/** Replaces a schema's references by the referenced schemas. */
function resolved(
  schema: JsonSchemaForValueGeneration,
  components: Record<string, JsonSchemaForValueGeneration>,
): JsonSchemaForValueGeneration {
  if (!schema.$ref) return schema;
  return components[schema.$ref.split('/').at(-1) ?? ''] ?? {};
}

function restGuns(): Gun[] {
  const document = inlineOpenApiComponentReferences(JSON.parse(JSON.stringify(buildOpenApiDocument())));
  const components = document.components.schemas as Record<string, JsonSchemaForValueGeneration>;
  const prefixes: [string, string][] = [
    ['/properties', 'prop_'],
    ['/reservations', 'res_'],
    ['/certificates', 'sig_'],
    ['/sync_sources', 'ss_'],
    ['/packets', 'pkt_'],
    ['/webhook_endpoints', 'whe_'],
  ];
  return Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([pattern, methods]) =>
    Object.entries(methods).map(([method, operation]): Gun => {
      const schema = operation.requestBody?.content['application/json'].schema;
      const query = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
      const prefix = prefixes.find(([start]) => pattern.startsWith(start))?.[1];
      return (random, { keys, ids }) => {
        const path = pattern.replace(/\{(\w+)\}/g, (_, name) =>
          random.chance(ends.test(`${method} ${pattern}`) ? 0.05 : 0.9)
            ? ids.any(random, name === 'evt_id' ? 'evt_' : prefix)
            : url(generateHostileText(random).slice(0, 900)),
        );
        const search = query
          .filter(() => random.chance(0.4))
          .map(
            ({ name, schema: one }) =>
              `${name}=${url(String(generateValueForSchema(one, random, ids, name, 0.3)).slice(0, 3_000))}`,
          );
        return {
          name: `${method} /v1${pattern}`,
          method: method.toUpperCase(),
          path: `/v1${path}${search.length > 0 ? `?${search.join('&')}` : ''}`,
          headers: {
            authorization: random.chance(0.97)
              ? `Bearer ${random.pick(keys)}`
              : `Bearer ${generateHostileText(random)
                  .replace(/[^\x21-\x7e]/g, '')
                  .slice(0, 900)}`,
            ...(schema ? json : {}),
            ...oddHeaders(random),
          },
          body: schema ? bodyOf(generateValueForSchema(resolved(schema, components), random, ids), random) : undefined,
        };
      };
    }),
  );
}

/** Operations that would end the shared session or delete the account. They are never sent. */
const SPARED = new Set([
  'accounts.revoke_session',
  'accounts.revoke_other_sessions',
  'accounts.switch_team',
  'accounts.update_member',
  'accounts.remove_member',
  'team_data.delete_team',
  'api_keys.revoke',
  'api_keys.rotate',
]);

/** Operations that remove objects needed by later requests. They are sent rarely. */
const ends = /^delete |\/(cancel|resend|archive)$|\.(delete|cancel|resend|archive|redact|ignore|sign_manually|remove)$/;

/** The prefix of the `id` that each router's procedures expect. */
const ID_OF: Record<string, string> = {
  properties: 'prop_',
  reservations: 'res_',
  packets: 'pkt_',
  certificates: 'sig_',
  sync_sources: 'ss_',
  webhook_endpoints: 'whe_',
  events: 'evt_',
  mail: 'mail_',
  request_logs: 'req_',
  api_keys: 'key_',
};

function procedureGuns(): Gun[] {
  type Procedure = { _def: { type: string; inputs: unknown[] } };
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>);
  return procedures
    .filter(([name]) => !SPARED.has(name))
    .map(([name, { _def }]): Gun => {
      const input_schema = selectHostVariantOfSchema(_def.inputs[0]) as z.ZodType | undefined;
      const schema = input_schema
        ? (z.toJSONSchema(input_schema, {
            io: 'input',
            unrepresentable: 'any',
            reused: 'inline',
          }) as JsonSchemaForValueGeneration)
        : null;
      return (random, { cookie, origin, ids }) => {
        const known = ends.test(name) && random.chance(0.9) ? new KnownResourceIds() : ids;
        const input = schema
          ? generateValueForSchema(schema, random, known.of(ID_OF[name.split('.')[0] ?? '']))
          : random.chance(0.3)
            ? generateHostileValue(random)
            : undefined;
        const headers = {
          'x-threshold-mode': random.chance(0.5) ? 'live' : 'test',
          ...(random.chance(0.97) ? { cookie } : {}),
          ...oddHeaders(random),
        };
        if (_def.type === 'query') {
          const text = input === undefined ? '' : `?input=${url((JSON.stringify(input) ?? '').slice(0, 9_000))}`;
          return { name, method: 'GET', path: `/api/trpc/${name}${text}`, headers };
        }
        return {
          name,
          method: 'POST',
          path: `/api/trpc/${name}`,
          headers: { ...json, origin, ...headers },
          body: bodyOf(input, random),
        };
      };
    });
}

const FORM_FIELDS = [
  'intent',
  'typed_name',
  'consent',
  'displayed_hash',
  'locale',
  'otp_code',
  'drawn_signature',
  'photo',
  'email',
  'step',
  'lang',
] as const;

function formBody(random: Random): { headers: Record<string, string>; body: string } {
  const fields = FORM_FIELDS.filter(() => random.chance(0.6)).map((name): [string, string] => {
    const known = {
      intent: ['sign', 'review', 'send_code', 'contact'],
      consent: ['on'],
      locale: ['en', 'de'],
      otp_code: ['123456'],
      email: ['a@example.com'],
      displayed_hash: ['0'.repeat(64)],
    }[name as string] as [string, ...string[]] | undefined;
    return [name, known && random.chance(0.6) ? random.pick(known) : generateHostileText(random)];
  });
  switch (random.between(0, 4)) {
    case 0: {
      const boundary = 'fuzz';
      const parts = fields.map(
        ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      );
      const end = random.chance(0.8) ? `--${boundary}--\r\n` : '';
      return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body: parts.join('') + end };
    }
    case 1:
      return { headers: json, body: bodyOf(Object.fromEntries(fields), random) };
    case 2:
      return {
        headers: { 'content-type': random.pick(['text/plain', 'multipart/form-data', 'x', '']) },
        body: generateHostileText(random),
      };
    default:
      return {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: fields.map(([name, value]) => `${name}=${url(value)}`).join('&'),
      };
  }
}

const guestGuns: Gun[] = ['/sign/', '/sign/', '/sign/', '/c/', '/verify/', '/o/'].map((start): Gun => {
  return (random, { tokens, origin }) => {
    const token = random.chance(0.8) ? random.pick(tokens) : url(generateHostileText(random).slice(0, 300));
    const tail =
      start === '/sign/' && random.chance(0.2)
        ? '/view'
        : (start === '/verify/' || start === '/c/') && random.chance(0.3)
          ? '/certificate.pdf'
          : '';
    const search = random.chance(0.2) ? `?lang=${url(generateHostileText(random).slice(0, 200))}` : '';
    const shot = { name: `${start}…${tail}`, path: `${start}${token}${tail}${search}` };
    if (random.chance(0.4)) return { ...shot, method: 'GET', headers: oddHeaders(random) };
    const form = formBody(random);
    return { ...shot, method: 'POST', headers: { origin, ...form.headers, ...oddHeaders(random) }, body: form.body };
  };
});

/** Assembles a forwarded mail from parts that are hard to parse. */
function mailOf(random: Random): string {
  const header = () =>
    generateHostileText(random)
      .replace(/[\r\n]/g, ' ')
      .slice(0, 20_000);
  const type = random.pick([
    'text/plain; charset=utf-8',
    'text/html',
    'multipart/mixed; boundary=b',
    'message/rfc822',
    `text/plain; ${'x=1; '.repeat(random.pick([2, 3_000]))}`,
  ]);
  const lines = Array.from({ length: random.between(0, 6) }, () => generateHostileText(random));
  return [
    `From: ${random.chance(0.5) ? 'automated@airbnb.com' : header()}`,
    `To: ${random.chance(0.5) ? 'x@inbound.example' : header()}`,
    `Subject: ${random.chance(0.5) ? 'Fwd: Reservation confirmed' : header()}`,
    `Content-Type: ${type}`,
    ...(random.chance(0.3) ? ['Content-Transfer-Encoding: base64'] : []),
    '',
    ...lines,
    random.chance(0.3) ? '--b\r\nContent-Type: text/html\r\n\r\n<p>x' : '',
    'Check-in: 3 May 2027\r\nCheckout: 5 May 2027',
  ].join('\r\n');
}

const doorGuns: Gun[] = [
  (random, { inbound_secret }) => ({
    name: '/api/inbound/email',
    method: 'POST',
    path: `/api/inbound/email${random.chance(0.5) ? `?to=${url(generateHostileText(random).slice(0, 500))}` : ''}`,
    headers: {
      authorization: random.chance(0.9) ? `Bearer ${inbound_secret}` : 'Bearer x',
      'content-type': 'message/rfc822',
    },
    body: Buffer.from(mailOf(random)),
  }),
  ...['/api/inbound/resend', '/api/webhooks/resend'].map(
    (path): Gun =>
      (random) => ({
        name: path,
        method: random.pick(['POST', 'POST', 'GET', 'PUT']),
        path,
        headers: { ...json, 'svix-id': 'a', 'svix-timestamp': '1', 'svix-signature': 'v1,AAAA', ...oddHeaders(random) },
        body: bodyOf(generateHostileValue(random), random),
      }),
  ),
  ...['/api/device/code', '/api/device/token'].map(
    (path): Gun =>
      (random) => {
        const field = (usual: string) => (random.chance(0.5) ? usual : generateHostileText(random).slice(0, 20_000));
        const form = new URLSearchParams({
          client_id: random.chance(0.9) ? 'threshold-cli' : generateHostileText(random),
          ...(path.endsWith('code')
            ? { mode: field('test'), scope: field('events:read'), device_name: field('ada-laptop') }
            : {
                grant_type: field('urn:ietf:params:oauth:grant-type:device_code'),
                device_code: field('x'.repeat(43)),
              }),
        });
        const headers = { 'content-type': 'application/x-www-form-urlencoded', ...oddHeaders(random) };
        return {
          name: path,
          method: random.pick(['POST', 'POST', 'POST', 'GET']),
          path,
          headers,
          body: form.toString(),
        };
      },
  ),
  ...['register', 'token', 'revoke', 'authorize', 'consent'].map(
    (path): Gun =>
      (random, { origin, cookie }) => {
        const field = (usual: string) => (random.chance(0.5) ? usual : generateHostileText(random).slice(0, 5_000));
        const fields = {
          client_id: field('x'.repeat(32)),
          redirect_uri: field('https://assistant.example/callback'),
          resource: field(`${origin}/mcp`),
          grant_type: random.pick(['authorization_code', 'refresh_token', generateHostileText(random)]),
          response_type: field('code'),
          code: field('x'.repeat(32)),
          code_verifier: field('x'.repeat(43)),
          code_challenge: field('x'.repeat(43)),
          code_challenge_method: field('S256'),
          refresh_token: field(`threshold_rt_${'x'.repeat(32)}`),
          token: field(`threshold_at_${'x'.repeat(32)}`),
          scope: field('properties:read offline_access'),
        };
        const sent = Object.entries(fields).filter(() => random.chance(0.8));
        const shot = { name: `/oauth2/${path}`, path: `/oauth2/${path}` };
        const form = new URLSearchParams(sent).toString();
        if (path === 'authorize')
          return { ...shot, method: 'GET', path: `${shot.path}?${form}`, headers: { cookie, ...oddHeaders(random) } };
        if (path === 'token' || path === 'revoke') {
          const headers = { 'content-type': 'application/x-www-form-urlencoded', ...oddHeaders(random) };
          return { ...shot, method: 'POST', headers, body: form };
        }
        const body =
          path === 'consent'
            ? {
                oauth_query: random.chance(0.7) ? form : generateHostileValue(random),
                scopes: generateHostileValue(random),
              }
            : {
                client_name: random.chance(0.5) ? 'Helper' : generateHostileValue(random),
                redirect_uris: random.chance(0.5) ? [fields.redirect_uri] : generateHostileValue(random),
                token_endpoint_auth_method: generateHostileValue(random),
              };
        const headers = { ...json, origin, ...(path === 'consent' && { cookie }), ...oddHeaders(random) };
        return { ...shot, method: 'POST', headers, body: bodyOf(body, random) };
      },
  ),
  (random, { keys }) => ({
    name: '/mcp',
    method: random.pick(['POST', 'POST', 'POST', 'GET', 'DELETE']),
    path: '/mcp',
    headers: {
      ...json,
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${random.chance(0.9) ? random.pick(keys) : `threshold_at_${'x'.repeat(32)}`}`,
      ...oddHeaders(random),
    },
    body: bodyOf(
      {
        jsonrpc: '2.0',
        id: random.chance(0.8) ? 1 : generateHostileValue(random),
        method: random.chance(0.8)
          ? random.pick(['tools/call', 'tools/list', 'initialize'])
          : generateHostileText(random),
        params: random.chance(0.8)
          ? {
              name: random.chance(0.8) ? 'reservations_list' : generateHostileText(random),
              arguments: generateHostileValue(random),
            }
          : generateHostileValue(random),
      },
      random,
    ),
  }),
  ...[
    '/sign-in/email',
    '/sign-up/email',
    '/request-password-reset',
    '/reset-password',
    '/verify-email',
    '/confirm-address',
    '/claim-address',
    '/send-verification-email',
    '/update-user',
    '/change-password',
    '/two-factor/verify-totp',
    '/organization/create',
  ].map(
    (path): Gun =>
      (random, { origin, cookie }) => ({
        name: `/api/auth${path}`,
        method: random.pick(['POST', 'POST', 'POST', 'GET']),
        path: `/api/auth${path}`,
        headers: {
          ...json,
          origin,
          // The cookie is sent only to the route that needs a session. Other routes would end the
          // session.
          ...(path === '/update-user' ? { cookie } : {}),
          ...oddHeaders(random),
        },
        body: bodyOf(
          {
            email: random.chance(0.5) ? `x${random.between(0, 9)}@example.com` : generateHostileValue(random),
            password: random.chance(0.5) ? 'a wrong password' : generateHostileValue(random),
            name: random.chance(0.5) ? 'Name' : generateHostileValue(random),
            token: generateHostileValue(random),
            newPassword: generateHostileValue(random),
          },
          random,
        ),
      }),
  ),
  (random, { cookie }) => ({
    name: 'any path',
    method: random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']),
    path: random.pick([
      `/${url(generateHostileText(random).slice(0, 500))}`,
      '/healthz',
      '/readyz',
      '/metrics',
      '/docs',
      '/docs/errors',
      '/v1',
      '/v1/openapi.json',
      '/',
      '/reservations',
      '/properties/%00',
      '/_next/static/%2e%2e/%2e%2e/package.json',
      `/api/tls-allowed?domain=${url(generateHostileText(random).slice(0, 500))}`,
      '/export.zip',
      '/api/export.zip',
      '/api/audit-log.csv',
      '//example.com/%2f..',
      '/invite/x',
      '/reset-password?token=x',
      '/confirm-address?token=x',
    ]),
    headers: { ...(random.chance(0.5) ? { cookie } : {}), ...oddHeaders(random) },
  }),
];

/** Returns a function that picks a request. Each group of targets gets an equal share. */
export function createRequestGenerator(): (random: Random, known: FuzzCredentials) => GeneratedRequest {
  const surfaces: [Gun[], ...Gun[][]] = [restGuns(), procedureGuns(), guestGuns, doorGuns];
  return (random, known) => {
    const [first, ...rest] = random.pick(surfaces);
    if (!first) throw new Error('A surface without requests.');
    return random.pick([first, ...rest])(random, known);
  };
}
