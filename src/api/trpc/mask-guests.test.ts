/**
 * Tests that every text field in results for developers and in events is listed as shown or masked.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { appRouter } from '@/api/router';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import { buildSamplePayload } from '@/modules/webhooks/event-log/sample-payloads';
import { selectHostVariantOfSchema, selectPartnerVariantOfSchema } from './host-part';
import { FIELDS_MASKED_DEPENDING_ON_NEIGHBORS, maskGuestFields, UNMASKED_FIELDS } from './mask-guests';

/**
 * Masked fields: texts about guests or by guests, and secrets that give access to a guest's data.
 */
const HIDDEN: ReadonlySet<string> = new Set([
  'arrival_release_override_reason',
  'booking_code',
  'email_preview_url',
  'event',
  'external_id',
  'feed_url',
  'guest_email',
  'guest_name',
  'guest_phone_last4',
  'idempotency_key',
  'metadata',
  'note',
  'output',
  'override_reason',
  'response_body_truncated',
  'signed_ip',
  'signer_name',
  'signing_secret',
  'verify_token',
  'verify_url',
  'words',
  'would_send_to',
]);
/** Fields with JSON as text. The fields of that JSON are masked individually. */
const JSON_TEXTS = ['body', 'request_body'];

type Schema = { [keyword: string]: unknown };

/** Yields the names of a schema's fields that may contain text, or objects with arbitrary keys. */
function* texts(node: unknown, field: string): Generator<string> {
  if (Array.isArray(node)) for (const item of node) yield* texts(item, field);
  else if (node !== null && typeof node === 'object') {
    const { properties = {}, ...rest } = node as Schema & { properties?: object };
    if ([rest.type].flat().includes('string')) yield field;
    for (const [name, schema] of Object.entries(properties)) yield* texts(schema, name);
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'items', 'prefixItems', 'additionalProperties'])
      yield* texts(rest[keyword], field);
    for (const schema of Object.values(rest.$defs ?? {})) yield* texts(schema, field);
  }
}

function* textsOf(value: unknown, field: string): Generator<string> {
  if (typeof value === 'string') yield field;
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item, field);
  else if (value !== null && typeof value === 'object')
    for (const [name, item] of Object.entries(value)) yield* textsOf(item, name);
}

function everyName(): Set<string> {
  const roles: Record<string, string> = JSON.parse(readFileSync('src/api/roles.json', 'utf8'));
  const names = new Set<string>();
  for (const [name, procedure] of Object.entries(appRouter._def.procedures)) {
    if (!roles[name]?.split(', ').includes('developer')) continue;
    const { output } = (procedure as unknown as { _def: { output: unknown } })._def;
    for (const side of [selectHostVariantOfSchema(output), selectPartnerVariantOfSchema(output)]) {
      const schema = z.toJSONSchema(side as z.ZodType, { unrepresentable: 'any' });
      for (const field of texts(schema, '')) names.add(field);
    }
  }
  for (const type of EVENT_TYPE_NAMES)
    for (const field of textsOf(buildSamplePayload(type, new Date('2026-05-04T10:00:00Z')), '')) names.add(field);
  names.delete('');
  return names;
}

describe('a text field is', () => {
  const names = everyName();

  it('classified as shown or hidden under every existing name', () => {
    expect(names.size).toBeGreaterThan(200);
    const decided = new Set([...UNMASKED_FIELDS, ...HIDDEN, ...JSON_TEXTS, ...FIELDS_MASKED_DEPENDING_ON_NEIGHBORS]);
    expect([...names].filter((name) => !decided.has(name)).sort()).toEqual([]);
    expect([...HIDDEN].filter((name) => UNMASKED_FIELDS.has(name))).toEqual([]);
  });

  it('shown only under a name that exists', () => {
    expect([...UNMASKED_FIELDS].filter((name) => !names.has(name))).toEqual([]);
  });

  it.each([...HIDDEN, 'something_new'])('masked as %s: at the top level, in a list, nested, and in JSON', (name) => {
    const value = { id: 'x', [name]: 'Zerlina', previous_attributes: { [name]: ['Zerlina'] } };
    const masked = maskGuestFields({ data: [value], body: JSON.stringify({ data: { object: value } }) });
    expect(JSON.stringify(masked)).not.toContain('Zerlina');
    expect(masked.data[0]?.id).toBe('x');
  });
});

it('everything in metadata is masked, also under names that are shown elsewhere', () => {
  const metadata = { name: 'Zerlina', status: 7, id: null, more: { city: ['Zerlina'] } };
  const dots = '••••••';
  expect(maskGuestFields({ metadata, body: JSON.stringify({ metadata }) })).toEqual({
    metadata: { name: dots, status: dots, id: null, more: { city: [dots] } },
    body: JSON.stringify({ metadata: { name: dots, status: dots, id: null, more: { city: [dots] } } }),
  });
});

it('the reason of an early release is masked, with or without an author; that of a skipped event is shown', () => {
  expect(maskGuestFields({ by: null, reason: 'Zerlina is ill' })).toEqual({ by: null, reason: '••••••' });
  const failed = { status: 'failed', reason: '550 <Zerlina@guest.example> is unknown' };
  expect(maskGuestFields({ mail_problem: failed })).toEqual({ mail_problem: { status: 'failed', reason: '••••••' } });
  expect(maskGuestFields({ count: 1, reason: 'no_name' })).toEqual({ count: 1, reason: 'no_name' });
});

it('an error message does not repeat a text that is masked next to it', () => {
  expect(maskGuestFields({ guest_name: 'Zerlina', error: 'Zerlina is unknown' }).error).toBe('•••••• is unknown');
});
