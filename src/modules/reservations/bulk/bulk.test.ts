import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { translateMessages } from '@/api/trpc/translate-messages';
import { systemDb } from '@/infra/db/client';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import type { ResultWithUntranslatedRefusals } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { suppressEmailAddress } from '@/testing/mail';
import { clearDatabase, insertTeam } from '@/testing/team';
import { markReservationSigned } from '../host.service';
import { sendReservation } from '../send';
import { createReservation } from '../service';
import { BulkActionInput, BulkActionPreview, BulkActionPreviewInput } from './bulk.schemas';
import { performBulkAction, previewBulkAction } from './service';

let scope: Scope;
let property_id: string;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
  property_id = (await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }))).id;
});

async function insertStay(guest_name: string, more: { guest_email?: string | null; locale?: string } = {}) {
  const { row } = await createReservation(scope, {
    property_id,
    guest_name,
    guest_email: `${guest_name.toLowerCase()}@example.com`,
    checkin_date: '2031-06-15',
    checkout_date: '2031-06-18',
    source: 'direct',
    ...more,
  });
  return row.id;
}

const mailed = async () =>
  (await systemDb().mailMessage.findMany({ where: { template: 'packet' }, orderBy: { created_at: 'asc' } })).map(
    ({ to }) => to,
  );
const seenOf = ({ rows }: ResultWithUntranslatedRefusals<BulkActionPreview>) =>
  BulkActionInput.shape.rows.parse(rows.map(({ id, to, sent_at }) => ({ id, to, sent_at })));

describe('the preview of a bulk action', () => {
  it('lists each recipient, language and refusal with its reason, and changes nothing', async () => {
    const draft = await insertStay('Ana', { locale: 'pt-BR' });
    const nobody = await insertStay('Bo', { guest_email: null });
    const sent = await insertStay('Cleo');
    await sendReservation(scope, sent);
    const signed = await insertStay('Dora');
    await markReservationSigned(scope, signed);
    const before = await mailed();
    const { rows } = BulkActionPreview.parse(
      translateMessages(await previewBulkAction(scope, 'resend', [draft, nobody, sent, sent, signed, 'res_none']), {}),
    );
    expect(rows.map(({ guest_name, outcome, to, language }) => [guest_name, outcome, to, language])).toEqual([
      ['Ana', 'will', 'ana@example.com', 'pt-BR'],
      ['Bo', 'refused', null, 'en'],
      ['Cleo', 'will', 'cleo@example.com', 'en'],
      ['Dora', 'refused', 'dora@example.com', 'en'],
      ['res_none', 'refused', null, null],
    ]);
    expect(String(rows[1]?.message)).toMatch(/address/i);
    expect((await previewBulkAction(scope, 'send', [sent])).rows[0]).toMatchObject({
      outcome: 'nothing',
      message: { key: 'was_sent_already' },
    });
    expect(await mailed()).toEqual(before);
  });

  it('refuses suppressed addresses and shows nothing of another team', async () => {
    const sent = await insertStay('Cleo');
    await sendReservation(scope, sent);
    await suppressEmailAddress('cleo@example.com');
    expect((await previewBulkAction(scope, 'resend', [sent])).rows[0]).toMatchObject({ outcome: 'refused' });
    const other = await insertTeam('live', 'other@example.com');
    expect((await previewBulkAction(other, 'resend', [sent])).rows).toEqual([
      expect.objectContaining({ outcome: 'refused', guest_name: sent, to: null }),
    ]);
    expect((await performBulkAction(other, 'cancel', [{ id: sent, to: null, sent_at: null }])).rows).toEqual([
      { id: sent, outcome: 'refused', message: expect.objectContaining({ key: 'deleted_meanwhile' }) },
    ]);
  });

  it('accepts at most 100 reservations, and the action itself at most 20', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `res_${at}`);
    expect(BulkActionPreviewInput.safeParse({ action: 'send', ids: ids(100) }).success).toBe(true);
    expect(BulkActionPreviewInput.safeParse({ action: 'send', ids: ids(101) }).success).toBe(false);
    const rows = ids(21).map((id) => ({ id, to: null, sent_at: null }));
    expect(BulkActionInput.safeParse({ action: 'send', rows }).success).toBe(false);
  });
});

describe('a bulk action', () => {
  it('mails each guest once, also for repeated or concurrent calls', async () => {
    const draft = await insertStay('Ana');
    const sent = await insertStay('Cleo');
    await sendReservation(scope, sent);
    const seen = seenOf(await previewBulkAction(scope, 'resend', [draft, sent]));
    const both = await Promise.all([
      performBulkAction(scope, 'resend', seen),
      performBulkAction(scope, 'resend', seen),
    ]);
    const outcomes = both.flatMap(({ rows }) => rows.map(({ outcome }) => outcome)).sort();
    expect(outcomes).toEqual(['done', 'done', 'nothing', 'nothing']);
    const later = await performBulkAction(scope, 'resend', seen);
    expect(later.rows.map(({ outcome }) => outcome)).toEqual(['nothing', 'nothing']);
    expect((await mailed()).sort()).toEqual(['ana@example.com', 'cleo@example.com', 'cleo@example.com']);
  });

  it('reports an outcome for each reservation and continues after a refusal', async () => {
    const [ana, bo, cleo] = [await insertStay('Ana'), await insertStay('Bo'), await insertStay('Cleo')];
    const seen = seenOf(await previewBulkAction(scope, 'send', [ana, bo, cleo]));
    await systemDb().reservation.update({ where: { id: ana }, data: { guest_email: 'new@example.com' } });
    await markReservationSigned(scope, bo);
    const { rows } = await performBulkAction(scope, 'send', seen);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'nothing', 'done']);
    expect(rows[0]?.message).toBeTruthy();
    expect(await mailed()).toEqual(['cleo@example.com']);
  });

  it('of cancelling emits its events, and changes nothing when repeated', async () => {
    const ids = [await insertStay('Ana'), await insertStay('Bo')];
    const seen = seenOf(await previewBulkAction(scope, 'cancel', ids));
    expect((await performBulkAction(scope, 'cancel', seen)).rows.map(({ outcome }) => outcome)).toEqual([
      'done',
      'done',
    ]);
    expect((await performBulkAction(scope, 'cancel', seen)).rows.map(({ outcome }) => outcome)).toEqual([
      'nothing',
      'nothing',
    ]);
    expect(await systemDb().event.count({ where: { type: 'reservation.cancelled' } })).toBe(2);
  });

  it('stops at the Free plan’s daily mail limit, and reports it for each reservation', async () => {
    await systemDb().team.update({ where: { id: scope.team_id }, data: { plan: 'free' } });
    const mail = (number: number) => ({
      ...{ id: `mail_${number}`, team_id: scope.team_id, mode: scope.mode, template: 'packet', to: 'x@example.com' },
      ...{ from: 'a@example.com', subject: 'S', status: 'sent' as const, due_at: new Date(), created_at: new Date() },
    });
    await systemDb().mailMessage.createMany({ data: Array.from({ length: 29 }, (_, number) => mail(number)) });
    const seen = seenOf(await previewBulkAction(scope, 'send', [await insertStay('Ana'), await insertStay('Bo')]));
    const { rows } = await performBulkAction(scope, 'send', seen);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['done', 'refused']);
    expect(String(rows[1]?.message)).toContain('Free plan');
  });
});
