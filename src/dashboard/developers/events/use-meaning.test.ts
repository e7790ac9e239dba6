import { expect, it } from 'vitest';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '@/events/catalogue';
import { englishWords } from '../../i18n/english-words';
import { keyOf } from './use-meaning';

const t = englishWords('event_types');

it.each(EVENT_TYPE_NAMES)('%s has the same explanation in the dashboard and in the documentation', (type) => {
  expect(t(`means_${keyOf(type)}`)).toBe(EVENT_TYPES[type].replaceAll('`', ''));
});
