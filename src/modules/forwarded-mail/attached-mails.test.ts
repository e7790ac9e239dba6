import { burn } from '@kenjiuno/msgreader/lib/Burner';
import { describe, expect, it } from 'vitest';
import { getAppSecret } from '@/config';
import { decryptBytes } from '@/infra/encryption';
import * as inbox from './inbox.service';
import { MAIL_ENCRYPTION_PURPOSE, receiveMail } from './receive';
import {
  forwarding_address,
  getTestDb,
  listInboundMails,
  receiveFixtureMail,
  scope,
  setUpForwardedMailTests,
} from './testing/mail-test-context';

setUpForwardedMailTests();

describe('mails attached as files', () => {
  const part = (headers: string[], body: string) => [...headers, '', body].join('\r\n');
  const outer = (parts: string[], subject = 'FW: bookings') =>
    new Uint8Array(
      Buffer.from(
        [
          'From: Hanna Host <hanna@host.example>',
          `To: ${forwarding_address}`,
          `Subject: ${subject}`,
          'Message-ID: <several@host.example>',
          'Date: Fri, 01 May 2026 10:00:00 +0000',
          'MIME-Version: 1.0',
          'Content-Type: multipart/mixed; boundary="mix"',
          '',
          '--mix',
          part(['Content-Type: text/plain; charset=utf-8'], 'See attached.'),
          ...parts.flatMap((one) => ['--mix', one]),
          '--mix--',
          '',
        ].join('\r\n'),
      ),
    );
  const eml = (number: number) =>
    part(
      ['Content-Type: message/rfc822', `Content-Disposition: attachment; filename="booking-${number}.eml"`],
      part(
        [
          'From: "Channel A" <automated@channel-a.example>',
          `Subject: Reservation confirmed - Kim Lee arrives Jul ${number}`,
          `Message-ID: <a-${number}@channel-a.example>`,
          'Date: Fri, 01 May 2026 10:00:00 +0000',
          'Content-Type: text/plain; charset=utf-8',
        ],
        `Check-in\r\nJul ${number}, 2026\r\n\r\nCheckout\r\nJul ${number + 2}, 2026\r\n\r\nConfirmation code\r\nHMATTACH${number}0\r\n`,
      ),
    );
  const outlook = (type: string, name: string) =>
    part(
      [
        `Content-Type: ${type}; name="${name}"`,
        `Content-Disposition: attachment; filename="${name}"`,
        'Content-Transfer-Encoding: base64',
      ],
      '0M8R4KGxGuE=',
    );
  /**
   * Builds a mail in Outlook's `.msg` format: a compound file with one stream for each property of
   * the mail.
   */
  const msg = (properties: Record<string, string>) => {
    const streams = Object.entries(properties).map(([name, text]) => ({
      name: `__substg1.0_${name}001F`,
      // The bytes are copied, because the writer uses the whole underlying buffer.
      bytes: new Uint8Array(Buffer.from(text, 'utf16le')),
    }));
    const documents = [{ name: '__properties_version1.0', bytes: new Uint8Array(32) }, ...streams];
    const file = burn([
      { name: 'Root Entry', type: 5, length: 0, children: documents.map((_, index) => index + 1) },
      ...documents.map(({ name, bytes }) => ({ name, type: 2, length: bytes.length, binaryProvider: () => bytes })),
    ]);
    const lines =
      Buffer.from(file)
        .toString('base64')
        .match(/.{1,76}/g) ?? [];
    return part(
      [
        'Content-Type: application/vnd.ms-outlook; name="booking.msg"',
        'Content-Disposition: attachment; filename="booking.msg"',
        'Content-Transfer-Encoding: base64',
      ],
      lines.join('\r\n'),
    );
  };
  const OUTLOOK_MAIL = {
    '0037': 'Reservation confirmed - Kim Lee arrives Jul 1',
    '0C1A': 'Channel A',
    '5D01': 'automated@channel-a.example',
    '007D':
      'From: "Channel A" <automated@channel-a.example>\r\nDate: Fri, 01 May 2026 10:00:00 +0000\r\nBcc: x@y.example\r\n',
    '1000': 'Check-in\r\nJul 1, 2026\r\n\r\nCheckout\r\nJul 3, 2026\r\n\r\nConfirmation code\r\nHMOUTLOOK1\r\n',
  };

  it('in Outlook’s .msg format are read and shown as the mails that they are', async () => {
    await receiveMail(outer([msg(OUTLOOK_MAIL)]), [forwarding_address]);
    const [entry, ...others] = await listed();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      reason: 'not_verified',
      forwarding: 'attached',
      original_from: 'automated@channel-a.example',
      unread: [],
      found: {
        guest_name: 'Kim Lee',
        reservation_code: 'HMOUTLOOK1',
        checkin_date: '2026-07-01',
        checkout_date: '2026-07-03',
      },
    });
    expect((await inbox.retrieveForwardedMail(scope, entry!.id)).text).toContain('HMOUTLOOK1');
  });

  const listed = () => inbox.listInboxMails(scope, { waiting: true });

  it('are each read, and not again when the outer mail is redelivered', async () => {
    const raw = outer([eml(1), eml(10), eml(20)]);
    expect(await receiveMail(raw, [forwarding_address])).toMatchObject([{ outcome: 'inbox' }]);
    expect(await receiveMail(raw, [forwarding_address])).toMatchObject([{ outcome: 'duplicate' }]);
    const rows = (await listed()).reverse();
    expect(rows.map(({ found }) => [found?.checkin_date, found?.reservation_code])).toEqual([
      ['2026-07-01', 'HMATTACH10'],
      ['2026-07-10', 'HMATTACH100'],
      ['2026-07-20', 'HMATTACH200'],
    ]);
    expect(rows.map(({ reason }) => reason)).toEqual(['not_verified', 'not_verified', 'not_verified']);
    // The detail of an attached mail contains only its own text.
    const last = await inbox.retrieveForwardedMail(scope, rows[2]?.id ?? '');
    expect(last.text).toContain('HMATTACH200');
    expect(last.text).not.toContain('HMATTACH10\n');
  });

  it('are read up to twenty, and the others are listed by name', async () => {
    await receiveMail(outer(Array.from({ length: 23 }, (_, index) => eml(1 + index))), [forwarding_address]);
    const rows = await listed();
    expect(rows).toHaveLength(20);
    expect(rows.flatMap(({ unread }) => unread)).toEqual(['Reservation confirmed - Kim Lee arrives Jul 21']);
  });

  it.each([
    ['application/vnd.ms-outlook', 'Booking of July.msg'],
    ['application/octet-stream', 'booking.MSG'],
    ['application/ms-tnef', 'winmail.dat'],
    ['application/octet-stream', 'winmail.dat'],
  ])('with type %s and name %s are listed as unread', async (type, name) => {
    await receiveMail(outer([outlook(type, name)]), [forwarding_address]);
    expect(await listed()).toMatchObject([{ reason: 'attachment_unread', unread: [name] }]);
  });

  it('that cannot be read are listed next to one that can', async () => {
    await receiveMail(outer([eml(1), outlook('application/vnd.ms-outlook', 'second.msg')]), [forwarding_address]);
    expect(await listed()).toMatchObject([{ reason: 'not_verified', unread: ['second.msg'] }]);
  });

  it('are not recognised by their name when their type is an image', async () => {
    await receiveMail(outer([outlook('image/png', 'msg.png')]), [forwarding_address]);
    expect(await listed()).toMatchObject([{ reason: 'not_a_confirmation', unread: [] }]);
  });
});

describe('storing a mail', () => {
  it('encrypts its bytes and omits attachments', async () => {
    const secret = Buffer.from('passport scan '.repeat(50)).toString('base64');
    const raw = [
      'From: host@example.com',
      `To: ${forwarding_address}`,
      'Message-ID: <with-attachment@example.com>',
      'Subject: A booking',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Guest: Ada',
      '--b',
      'Content-Type: application/pdf; name="id.pdf"',
      'Content-Disposition: attachment; filename="id.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      secret,
      '--b--',
      '',
    ].join('\r\n');
    await receiveMail(new TextEncoder().encode(raw), [forwarding_address]);
    const [mail] = await listInboundMails();
    expect(Buffer.from(mail!.raw!).toString('latin1')).not.toContain('Ada');
    const kept = decryptBytes(getAppSecret(), MAIL_ENCRYPTION_PURPOSE, mail!.raw!).toString('latin1');
    expect(kept).toContain('Guest: Ada');
    expect(kept).toContain('id.pdf');
    expect(kept).not.toContain(secret.slice(0, 40));
    expect((await inbox.retrieveForwardedMail(scope, mail!.id)).text).toContain('Guest: Ada');
  });

  it('keeps the text of an attached mail but not its attachments', async () => {
    const scan = Buffer.from('passport scan '.repeat(50)).toString('base64');
    const mail = (boundary: string, part: string) =>
      `From: host@example.com\r\nTo: ${forwarding_address}\r\nMessage-ID: <${boundary}@example.com>\r\nSubject: A booking\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n--${boundary}\r\nContent-Type: text/plain\r\n\r\nIn ${boundary}.\r\n--${boundary}\r\n${part}\r\n--${boundary}--\r\n`;
    const picture = `Content-Type: image/png; name="id.png"\r\nContent-Disposition: attachment; filename="id.png"\r\nContent-Transfer-Encoding: base64\r\n\r\n${scan}`;
    const inner = Buffer.from(mail('inner', picture)).toString('base64').replace(/.{76}/g, '$&\r\n');
    const file = `Content-Type: application/octet-stream; name="mail.eml"\r\nContent-Disposition: attachment; filename="mail.eml"\r\nContent-Transfer-Encoding: base64\r\n\r\n${inner}`;
    await receiveMail(new TextEncoder().encode(mail('outer', file)), [forwarding_address]);
    const [stored] = await listInboundMails();
    expect((await inbox.retrieveForwardedMail(scope, stored!.id)).text).toContain('In inner.');
    const kept = decryptBytes(getAppSecret(), MAIL_ENCRYPTION_PURPOSE, stored!.raw!).toString('latin1');
    expect(kept).toContain('In outer.');
    const of_file = Buffer.from(
      /\r\n\r\n([A-Za-z0-9+/=\r\n]{200,})\r\n--outer/.exec(kept)?.[1] ?? '',
      'base64',
    ).toString();
    expect(of_file).toContain('id.png');
    expect(of_file).not.toContain(scan.slice(0, 40));
  });

  it('lists it without text after its bytes were deleted', async () => {
    await receiveFixtureMail('newsletter');
    await getTestDb().inboundMail.updateMany({ data: { raw: null } });
    const { id } = (await listInboundMails())[0]!;
    expect((await inbox.retrieveForwardedMail(scope, id)).text).toBeNull();
  });
});
