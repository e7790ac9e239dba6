import { describe, expect, it } from 'vitest';
import { buildContentDisposition } from '@/infra/archive-download';
import { buildCertificateFileName, buildDisputePackFileName, createFileNameDeduplicator } from './file-name.rules';

describe('the name of a certificate’s file', () => {
  it.each([
    ['Grace Hopper', 'Casa Azul', '2026-11-21 Grace Hopper, Casa Azul.pdf'],
    ['佐藤 花子', 'Maison d’été', '2026-11-21 佐藤 花子, Maison d’été.pdf'],
    ['../../etc/passwd', 'A\\B: "C"', '2026-11-21 .. .. etc passwd, A B C.pdf'],
    ['Ann\u202Egpj.exe\u0007', null, '2026-11-21 Ann gpj.exe.pdf'],
    ['', null, '2026-11-21.pdf'],
    [`${'x'.repeat(79)} y`, ` ${'z'.repeat(81)}`, `2026-11-21 ${'x'.repeat(79)}, ${'z'.repeat(80)}.pdf`],
    ['x'.repeat(200), 'y'.repeat(200), `2026-11-21 ${'x'.repeat(80)}, ${'y'.repeat(80)}.pdf`],
  ])('of %j at %j is %j', (signer_name, house, name) => {
    const signed_at = new Date('2026-11-21T10:00:00Z');
    expect(
      buildCertificateFileName({ signed_at, signer_name }, house === null ? null : { name: house, timezone: null }),
    ).toBe(name);
  });

  it('has the date in the property’s time zone', () => {
    const signed = { signed_at: new Date('2026-11-20T23:30:00Z'), signer_name: 'Grace Hopper' };
    expect(buildCertificateFileName(signed, { name: 'Casa Azul', timezone: 'Europe/Madrid' })).toBe(
      '2026-11-21 Grace Hopper, Casa Azul.pdf',
    );
  });

  it('gets a number when it is already used, ignoring case', () => {
    const distinct = createFileNameDeduplicator();
    expect(['A.pdf', 'a.pdf', 'B.pdf', 'A.pdf'].map(distinct)).toEqual(['A.pdf', 'a (2).pdf', 'B.pdf', 'A (3).pdf']);
    expect(['A.pdf B.pdf', 'A.pdf B.pdf'].map(distinct)).toEqual(['A.pdf B.pdf', 'A.pdf B (2).pdf']);
  });

  it('cannot break out of its header', () => {
    expect(buildContentDisposition('inline', '2026-11-21 Zoë "x"; O\u2019Hara* (2).pdf')).toBe(
      `inline; filename="2026-11-21 Zo_ _x_; O_Hara* (2).pdf"; filename*=UTF-8''2026-11-21%20Zo%C3%AB%20%22x%22%3B%20O%E2%80%99Hara%2A%20%282%29.pdf`,
    );
  });
});

describe('the name of a dispute pack', () => {
  const stay = (name: string, guest_name: string) => ({
    property: { name },
    reservation: { checkin_date: '2026-11-21', guest_name },
  });

  it.each([
    [stay('Casa Azul', 'Grace Brewster Hopper'), 'Dispute Casa Azul 2026-11-21 Hopper.zip'],
    [stay('A/B: "Loft"', ' 山田太郎 '), 'Dispute A B Loft 2026-11-21 山田太郎.zip'],
    [stay('', ''), 'Dispute 2026-11-21.zip'],
    [null, 'Dispute redacted sig_1.zip'],
  ])('is derived from the stay (%#)', (given, name) => {
    expect(buildDisputePackFileName(given, 'redacted sig_1')).toBe(name);
  });
});
