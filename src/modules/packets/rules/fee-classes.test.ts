import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyFee, FEE_TYPES, isConditionalFeeType, isFeeType } from './fee-classes';

// Labels by fee type, in English, German, French, Spanish, Italian, Portuguese and Dutch.
const LABELS: Record<string, string[]> = {
  mandatory_cleaning: [
    'Cleaning fee',
    'Endreinigung',
    'Frais de ménage',
    'Limpieza',
    'Pulizie finali',
    'Taxa de limpeza',
    'Schoonmaakkosten',
  ],
  mandatory_resort: ['Resort fee', 'Amenity fee'],
  mandatory_management: [
    'Management fee',
    'Verwaltungsgebühr',
    'Frais de dossier',
    'Gastos de gestión',
    'Spese di gestione',
    'Taxa de gestão',
    'Administratiekosten',
  ],
  mandatory_community: [
    'Community fee',
    'HOA fee',
    'Gemeinschaftskosten',
    'Charges de copropriété',
    'Gastos de comunidad',
    'Spese condominiali',
    'Gemeenschapskosten',
  ],
  mandatory_linen: [
    'Linen & towels',
    'Bettwäsche',
    'Linge de maison',
    'Ropa de cama',
    'Biancheria',
    'Roupa de cama',
    'Beddengoed',
  ],
  mandatory_utility: [
    'Utilities',
    'Electricity',
    'Stromkosten',
    'Électricité',
    'Electricidad',
    'Riscaldamento',
    'Eletricidade',
    'Elektriciteit',
  ],
  mandatory_tax: [
    'City tax',
    'VAT',
    'Kurtaxe',
    'Bettensteuer',
    'Taxe de séjour',
    'Impuesto turístico',
    'Tassa di soggiorno',
    'Taxa turística',
    'Toeristenbelasting',
  ],
  mandatory_deposit: [
    'Security deposit',
    'Kaution',
    'Dépôt de garantie',
    'Fianza',
    'Cauzione',
    'Caução',
    'Waarborgsom',
  ],
  conditional_pet: [
    'Pet fee',
    'Pet cleaning fee',
    'Dogs',
    'Haustiergebühr',
    'Hund',
    'Animaux',
    'Mascotas',
    'Animali domestici',
    'Animais de estimação',
    'Huisdieren',
  ],
  conditional_extra_guest: [
    'Extra guest',
    'Additional person',
    'Zusätzliche Person',
    'Personne supplémentaire',
    'Huésped adicional',
    'Persona aggiuntiva',
    'Hóspede extra',
    'Extra persoon',
  ],
  conditional_early_checkin: [
    'Early check-in',
    'Early checkin',
    'Früher Check-in',
    'Arrivée anticipée',
    'Entrada anticipada',
    'Check-in anticipato',
    'Check-in antecipado',
    'Vroege check-in',
  ],
  conditional_late_checkout: [
    'Late check-out',
    'Late checkout',
    'Later check‑out is a late departure',
    'Später Check-out',
    'Départ tardif',
    'Salida tardía',
    'Check-out tardivo',
    'Check-out tardio',
    'Laat uitchecken',
  ],
  conditional_smoking: [
    'Smoking penalty',
    'Rauchen in der Wohnung',
    'Nichtraucherverstoß',
    'Interdiction de fumer',
    'Multa por fumar',
    'Vietato fumare',
    'Multa por fumar',
    'Roken',
  ],
  conditional_damage: ['Damages', 'Schadenspauschale', 'Dégâts', 'Daños', 'Danni', 'Danos', 'Schade'],
  conditional_lost_key: [
    'Lost key',
    'Lost or damaged keys',
    'Key replacement',
    'Schlüsselverlust',
    'Perte des clés',
    'Pérdida de llaves',
    'Chiavi smarrite',
    'Perda de chaves',
    'Verloren sleutel',
  ],
  conditional_noise_party: [
    'Party fine',
    'Noise complaint',
    'Ruhestörung',
    'Lärm',
    'Tapage nocturne',
    'Fiestas',
    'Rumori molesti',
    'Barulho',
    'Geluidsoverlast',
  ],
  conditional_excess_cleaning: [
    'Excessive cleaning',
    'Extra cleaning',
    'Deep clean',
    'Sonderreinigung',
    'Zusätzliche Endreinigung',
    'Ménage supplémentaire',
    'Limpieza extra',
    'Pulizia straordinaria',
    'Limpeza adicional',
    'Extra schoonmaak',
  ],
  conditional_parking: [
    'Parking',
    'Garage space',
    'Parkplatz',
    'Stationnement',
    'Aparcamiento',
    'Estacionamento',
    'Parcheggio',
    'Parkeerplaats',
  ],
};

describe('classifying a fee by its label in the hosts’ languages', () => {
  const cases = Object.entries(LABELS).flatMap(([type, labels]) => labels.map((label) => [label, type] as const));
  test.each(cases)('reads “%s” as %s', (label, type) => {
    expect(classifyFee({ label, description: null })).toBe(type);
  });

  test('covers every named type, and never guesses `other`', () => {
    const guessable = FEE_TYPES.filter((type) => !type.endsWith('_other'));
    expect(Object.keys(LABELS).sort()).toEqual([...guessable].sort());
  });
});

describe('classifying a fee with conditional words taking precedence', () => {
  test.each([
    ['Cleaning fee', 'Charged only after a party', 'conditional_noise_party'],
    ['Pet deposit', null, 'conditional_pet'],
    ['Damage deposit', null, 'conditional_damage'],
    ['Deposit', 'Covers lost keys', 'conditional_lost_key'],
    ['Late check-out', 'Also when pets need it', 'conditional_late_checkout'],
    ['Fee', 'Final cleaning', 'mandatory_cleaning'],
    ['Cleaning fee', 'Includes linen and city tax', 'mandatory_cleaning'],
  ])('reads “%s” (%s) as %s', (label, description, type) => {
    expect(classifyFee({ label, description })).toBe(type);
  });
});

describe('classifying a fee with words that only look alike', () => {
  test.each([
    ['Carpet'],
    ['Petrol'],
    ['Category B'],
    ['Taxi transfer'],
    ['Third-party insurance'],
    ['Keyboard rental'],
    ['Alarm'],
    ['Gebrauchsanweisung'],
    ['Feste Pauschale'],
    ['Two hundred'],
    ['Hundert'],
    ['Hot tub'],
    ['Welcome basket'],
    ['Fee'],
    [''],
  ])('reads “%s” as no type', (label) => {
    expect(classifyFee({ label, description: null })).toBeNull();
  });

  test('reads Portuguese “taxa” as a fee, not a tax', () => {
    expect(classifyFee({ label: 'Taxa' })).toBeNull();
  });
});

test('German “Verbrauch” is not read as smoking', () => {
  expect(classifyFee({ label: 'Stromverbrauch' })).toBe('mandatory_utility');
});

test('accents, case and odd hyphens make no difference', () => {
  expect(classifyFee({ label: 'FRAIS DE MENAGE' })).toBe('mandatory_cleaning');
  expect(classifyFee({ label: 'LATE\u00a0CHECK\u2011OUT' })).toBe('conditional_late_checkout');
  expect(classifyFee({ label: 'Schlu\u0308sselverlust' })).toBe('conditional_lost_key');
});

test('any text is classified as a known type or null, and always in the same way', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), fc.string({ maxLength: 500 }), (label, description) => {
      const type = classifyFee({ label, description });
      expect(type === null || isFeeType(type)).toBe(true);
      expect(classifyFee({ label, description })).toBe(type);
    }),
  );
});

test('fee types are recognised exactly, and conditional ones by their prefix', () => {
  expect(FEE_TYPES).toHaveLength(20);
  expect(FEE_TYPES.every(isFeeType)).toBe(true);
  for (const value of ['pet', 'conditional_', 'mandatory_Cleaning', null, 7]) expect(isFeeType(value)).toBe(false);
  expect(FEE_TYPES.filter(isConditionalFeeType)).toHaveLength(11);
  expect(isConditionalFeeType(null)).toBe(false);
});
