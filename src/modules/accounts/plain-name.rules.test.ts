import { expect, it } from 'vitest';
import { plainName } from './plain-name.rules';

it.each([
  ['Sea View Stays', 'Sea View Stays'],
  ['Müller & Söhne, Łódź', 'Müller & Söhne, Łódź'],
  ['O’Hara-Smith', 'O’Hara-Smith'],
  ['海辺の家', '海辺の家'],
  ['Visit https://evil.example/win?x=1', 'Visit https evil example win x 1'],
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
])('%j in a mail is %j', (given, shown) => {
  expect(plainName(given, 'Somebody')).toBe(shown);
});
