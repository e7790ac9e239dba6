import { describe, expect, it } from 'vitest';
import { buildPushNotificationText } from './notice.rules';

const NOTICE = { reservation_id: 'res_1', guest_name: 'Grace Hopper', property_name: 'Casa Azul' };

it.each([
  ['en', 'Grace has a question', 'Grace does not agree'],
  ['de', 'Grace hat eine Frage', 'Grace ist nicht einverstanden'],
  ['fr', 'Grace a une question', 'Grace n’est pas d’accord'],
  ['es', 'Grace tiene una pregunta', 'Grace no está de acuerdo'],
  ['it', 'Grace ha una domanda', 'Grace non è d’accordo'],
  ['pt', 'Grace tem uma pergunta', 'Grace não concorda'],
  ['nl', 'Grace heeft een vraag', 'Grace gaat niet akkoord'],
] as const)('in %s the title of a notice is “%s” or “%s”', (locale, question, declined) => {
  const common = { body: 'Casa Azul', path: '/reservations/res_1' };
  expect(buildPushNotificationText({ ...NOTICE, kind: 'question' }, locale)).toEqual({ title: question, ...common });
  expect(buildPushNotificationText({ ...NOTICE, kind: 'declined' }, locale)).toEqual({ title: declined, ...common });
});

describe('the title of a notice on a locked screen', () => {
  it.each([
    ['shows the first name', 'Grace Hopper', 'Grace'],
    ['shows the first name without extra spaces', '  Ada\t Lovelace ', 'Ada'],
    ['shows at most forty characters of a long name', '😀'.repeat(50), '😀'.repeat(40)],
    ['shows no name when there is none', ' ', ''],
  ])('%s', (_name, guest_name, shown) => {
    const { title } = buildPushNotificationText({ ...NOTICE, guest_name, kind: 'question' }, 'en');
    expect(title).toBe(`${shown} has a question`);
  });
});
