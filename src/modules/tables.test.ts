/**
 * Each table belongs to one module (tables.json). Only that module writes it, and only modules
 * above it read it, as with imports. A module below reads a view that the owner publishes. The two
 * modules in WHOLE are exempt, because they handle all of a team's data.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import order from './order.json';
import owners from './tables.json';

const WHOLE = ['export-and-deletion', 'retention'];

/**
 * Accesses to other modules' tables that the rules above would forbid, each with the reason why it
 * is allowed.
 */
const CROSSINGS: Record<string, string> = {
  'accounts reads properties': 'which properties a co-host may be assigned',
  'accounts writes api_keys': 'an address that somebody else confirms ends the access set before, in one transaction',
  'accounts writes device_logins': 'the same',
  'accounts writes oauth_access_tokens': 'the same',
  'accounts writes oauth_consents': 'the same',
  'accounts writes oauth_refresh_tokens': 'the same',
  'assistants writes verifications': 'codes of the authorization server, which its library keeps there',
  'certificates reads inbound_mails': 'the preview of an erasure counts them',
  'certificates writes events': 'a redaction removes the guest wherever it is',
  'certificates writes guest_codes': 'the same',
  'certificates writes idempotency_records': 'the same',
  'certificates writes inbound_mails': 'the same',
  'certificates writes mail_messages': 'the same',
  'certificates writes request_logs': 'the same',
  'certificates writes reservations': 'the same',
  'certificates writes sms_messages': 'the same',
  'certificates writes snapshots': 'the same',
  'certificates writes sync_runs': 'the same',
  'certificates writes sync_sources': 'the same',
  'certificates writes trail_entries': 'the same',
  'certificates writes webhook_deliveries': 'the same',
  'certificates writes installation_keys': 'its sealing key; the table belongs to no module',
  'forwarded-mail writes sync_sources': 'an address for forwarded mail is a sync source',
  'mail reads invitations': 'the budget counts what a team has still to send',
  'mail reads teams': 'the budget depends on plan and age',
  'packets reads properties': 'whether the property exists',
  'packets reads reservations': 'whether a packet is in use',
  'push reads members': 'whom to notify',
  'push writes installation_keys': 'its key; the table belongs to no module',
  'reservations reads signatures': 'a list shows whether the certificate is sealed, in one statement',
  'reservations reads sync_sources': 'two calendars of one channel are not compared',
  'reservations writes trail_entries': 'the first entry goes in one statement with its reservation',
  'signing writes signatures': 'a signature is what certificates seal',
  'signing writes snapshots': 'what was signed is written with the signature',
  'sync-sources reads inbound_mails': 'the list counts what waits in each inbox',
  'sync-sources writes reservations': 'a run counts missed bookings in bulk',
  'test-clocks reads properties': 'whose clock it is',
  'test-clocks reads reservations': 'the same',
  'test-clocks writes properties': 'a clock that is deleted lets go of its properties',
  'webhooks writes test_clocks': 'retries follow a clock that was moved',
};

const owner_of = new Map(Object.entries(owners).flatMap(([module, tables]) => tables.map((table) => [table, module])));
const schema = readFileSync('prisma/schema.prisma', 'utf8');
const table_of = new Map(
  schema
    .split(/^model /m)
    .slice(1)
    .map((model) => [
      `${model[0]?.toLowerCase()}${/^.(\w*)/.exec(model)?.[1]}`,
      /@@map\("(\w+)"\)/.exec(model)?.[1] ?? '',
    ]),
);

/**
 * Returns each use of a table in the source text as `reads TABLE` or `writes TABLE`. Finds Prisma
 * calls and SQL.
 */
function uses(text: string): Set<string> {
  const found = new Set<string>();
  for (const [, model = '', call = ''] of text.matchAll(
    /\.(\w+)\s*\.(find|count|group|aggregate|create|update|delete|upsert)\w*\(/g,
  )) {
    const table = table_of.get(model);
    if (table) found.add(`${/^(create|update|delete|upsert)/.test(call) ? 'writes' : 'reads'} ${table}`);
  }
  for (const [, verb = '', table = ''] of text.matchAll(
    /\b(DELETE FROM|INSERT INTO|UPDATE|FROM|JOIN|USING)\s+"?([a-z_]+)"?/g,
  )) {
    if (owner_of.has(table)) found.add(`${/^(DELETE|INSERT|UPDATE)/.test(verb) ? 'writes' : 'reads'} ${table}`);
  }
  return found;
}

it('every table has one owner', () => {
  expect([...owner_of.keys()].sort()).toEqual([...table_of.values()].sort());
});

it('only its owner writes a table, and only modules above read it', () => {
  const rank = (module: string) => order.indexOf(module);
  const crossing = new Set<string>();
  for (const module of order.filter((name) => !WHOLE.includes(name))) {
    const sources = readdirSync(join('src/modules', module), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /repository\.ts$/.test(name),
    );
    for (const name of sources) {
      for (const use of uses(readFileSync(join('src/modules', module, name), 'utf8'))) {
        const [verb, table = ''] = use.split(' ');
        const owner = owner_of.get(table) ?? '';
        if (owner === module || (verb === 'reads' && (rank(owner) < 0 || rank(owner) > rank(module)))) continue;
        crossing.add(`${module} ${use}`);
      }
    }
  }
  expect([...crossing].sort()).toEqual(Object.keys(CROSSINGS).sort());
});
