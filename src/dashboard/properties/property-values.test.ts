import { describe, expect, it } from 'vitest';
import type { Property } from '@/modules/properties/schemas';
import { createEnglishTranslator } from '../i18n/english-words';
import { buildPropertyFormValues, pickChangedPropertyValues } from './property-values';
import { parsePropertyFormValues } from './read-values';

const words = { own: createEnglishTranslator('properties'), ui: createEnglishTranslator('ui') };

const property: Property = {
  id: 'prop_01jd8z6q0v7m3k5n9r2t4w6y8a',
  object: 'property',
  name: 'Harbour Loft',
  address: null,
  brand_color: '#0f766e',
  logo_url: null,
  subdomain: 'harbour',
  custom_domain: null,
  timezone: 'Europe/Lisbon',
  auto_send_packet: true,
  auto_send_offset_hours: 72,
  auto_reminders: false,
  lat: null,
  lng: null,
  city: null,
  photo_required: false,
  otp_required: true,
  required_acceptances: [],
  reply_to_email: null,
  parallel_stays: false,
  embed_origins: [],
  metadata: {},
  test_clock_id: null,
  custom_domain_verified_at: null,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
};

describe('parsePropertyFormValues', () => {
  it('returns the property’s stored values, so that saving an untouched form changes nothing', () => {
    const read = parsePropertyFormValues(buildPropertyFormValues(property), words);
    expect(read.ok && pickChangedPropertyValues(property, read.changes)).toEqual({});
  });

  it.each([
    ['an emptied text clears the field', { subdomain: ' ' }, { subdomain: null }],
    [
      'a pasted address is reduced to its host',
      { custom_domain: 'https://Rules.example.com/x' },
      { custom_domain: 'rules.example.com' },
    ],
    [
      'origins are a list, as browsers write them, each once',
      { embed_origins: ' https://Portal.example/\nhttps://a.example, https://portal.example ' },
      { embed_origins: ['https://portal.example', 'https://a.example'] },
    ],
    ['hours are a number', { auto_send_offset_hours: '48' }, { auto_send_offset_hours: 48 }],
  ] as const)('%s', (_name, values, changes) => {
    const read = parsePropertyFormValues(values, words);
    expect(read.ok && pickChangedPropertyValues(property, read.changes)).toEqual(changes);
  });

  it.each([
    ['name', { name: '  ' }, /name that guests know/],
    ['brand_color', { brand_color: 'teal' }, /#1a2b3c/],
    ['logo_url', { logo_url: 'javascript:alert(1)' }, /http/],
    ['auto_send_offset_hours', { auto_send_offset_hours: '400' }, /1 to 336/],
    ['auto_send_offset_hours', { auto_send_offset_hours: 'soon' }, /1 to 336/],
    ['subdomain', { subdomain: 'A b' }, /lower-case/],
    ['custom_domain', { custom_domain: 'localhost' }, /host name/],
    ['timezone', { timezone: 'Mars/Olympus' }, /IANA/],
    ['embed_origins', { embed_origins: 'https://a.example/page' }, /https origin/],
  ] as const)('rejects an invalid %s and describes the valid format', (field, values, message) => {
    const read = parsePropertyFormValues(values, words);
    expect(read.ok ? null : read.errors[field]).toMatch(message);
  });
});
