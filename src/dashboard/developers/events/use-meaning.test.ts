import { expect, it } from 'vitest';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '@/events/catalogue';
import { createEnglishTranslator } from '../../i18n/english-words';
import { getEventTypeTranslationKey } from './use-meaning';

const t = createEnglishTranslator('event_types');

it.each(EVENT_TYPE_NAMES)('%s has the same explanation in the dashboard and in the documentation', (type) => {
  expect(t(`means_${getEventTypeTranslationKey(type)}`)).toBe(EVENT_TYPES[type].replaceAll('`', ''));
});
