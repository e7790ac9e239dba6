import { expect, it } from 'vitest';
import { toSafeMailSubject, toSafeSenderName } from './plain-name';

it.each([
  ['Sea View Stays', 'Sea View Stays'],
  ['Müller & Söhne, Łódź', 'Müller & Söhne, Łódź'],
  ['O’Hara-Smith', 'O’Hara-Smith'],
  ['海辺の家', '海辺の家'],
  ['Visit https://evil.example/win?x=1', 'Visit evil example win x 1'],
  ['www.evil.example', 'www evil example'],
  ['evil．example', 'evil example'],
  ['pay@evil.example', 'pay evil example'],
  ['<b>Bold</b>\r\nBcc: all', 'b Bold b Bcc all'],
  ['a\u202Egpj.exe', 'a gpj exe'],
  ['x'.repeat(200), 'x'.repeat(80)],
  [`.${'x'.repeat(200)}`, 'x'.repeat(80)],
  [`${'x'.repeat(79)} y`, 'x'.repeat(79)],
  ['😀'.repeat(200), 'Somebody'],
  ['𠮷'.repeat(200), '𠮷'.repeat(80)],
  [' . ', 'Somebody'],
  ['Hello =?utf-8?b?UGF5IG5vdw==?= there', 'Hello there'],
  ['Loft (2nd floor)', 'Loft (2nd floor)'],
  ['evilꓸexample and evil٠example', 'evil example and evil example'],
  ['شقة ١٠', 'شقة ١٠'],
])('%j becomes %j in a mail', (given, shown) => {
  expect(toSafeSenderName(given, 'Somebody')).toBe(shown);
});

it.each([
  ['Your stay at 10.30, for 12.50 €: see you!', 'Your stay at 10.30, for 12.50 €: see you!'],
  ['See http://evil.example/pay now', 'See evil example pay now'],
  ['See evil.example', 'See evil example'],
  ['See 203.0.113.9 now', 'See 203 0 113 9 now'],
  ['See evil。example', 'See evil example'],
  ['=?utf-8?q?Pay?= at a@b.example', 'at a b example'],
  ['a\u202Eb\u200Bc\r\nBcc: x', 'a b c Bcc: x'],
  ['5/7 nights? Yes! (Really.)', '5 7 nights? Yes! (Really.)'],
])('the subject %j becomes %j', (given, shown) => {
  expect(toSafeMailSubject(given)).toBe(shown);
});
