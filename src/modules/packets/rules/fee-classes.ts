/**
 * Fee types (specification "Packet", design "Packet"). `mandatory_` fees are part of every stay.
 * `conditional_` fees depend on an event and appear in the listing-rules block. A missing type is
 * derived from words in label and description, in the languages of hosts.
 */

export const FEE_TYPES = [
  'mandatory_cleaning',
  'mandatory_resort',
  'mandatory_management',
  'mandatory_community',
  'mandatory_linen',
  'mandatory_utility',
  'mandatory_tax',
  'mandatory_deposit',
  'mandatory_other',
  'conditional_pet',
  'conditional_extra_guest',
  'conditional_early_checkin',
  'conditional_late_checkout',
  'conditional_smoking',
  'conditional_damage',
  'conditional_lost_key',
  'conditional_noise_party',
  'conditional_excess_cleaning',
  'conditional_parking',
  'conditional_other',
] as const;
export type FeeType = (typeof FEE_TYPES)[number];

export function isFeeType(value: unknown): value is FeeType {
  return (FEE_TYPES as readonly unknown[]).includes(value);
}

/** Returns whether the listing-rules block contains fees of this type. */
export function isConditionalFeeType(type: string | null): boolean {
  return type?.startsWith('conditional_') ?? false;
}

/**
 * Returns a pattern for normalized text. `words` matches only at the start of a word. `compound`
 * also matches inside a word.
 */
const words = (...alternatives: string[]): RegExp => new RegExp(`(?<![a-z])(?:${alternatives.join('|')})`);
const compound = (...alternatives: string[]): RegExp => new RegExp(alternatives.join('|'));

/** Fee types, each with alternative patterns. */
type WordList = readonly (readonly [FeeType, ...RegExp[]])[];

// Texts are lower case without accents. German and Dutch words may be part of compounds
// (Endreinigung, schoonmaakkosten). Short words end with \b, so that "pet" does not match "petrol".
// The order matters: "pet cleaning" is a pet fee, "lost or damaged key" a key fee.
const CONDITIONAL_WORDS: WordList = [
  [
    'conditional_pet',
    words(
      'pets?\\b',
      'dogs?\\b',
      'cats?\\b',
      'anima(?:l|ux|is)',
      'chiens?\\b',
      'mascota',
      'perr[oa]s?\\b',
      'gat[oi]s?\\b',
    ),
    words('gatt[oi]\\b', 'can[ei]\\b', 'cachorro', 'hund\\b', 'hunde(?!rt)', 'katze', 'hond(?:en)?\\b', 'katten\\b'),
    compound('haustier', 'huisdier'),
  ],
  [
    'conditional_extra_guest',
    words('(?:extra|additional|added|further)[ -](?:guest|person|people|adult|child|occupant|visitor)'),
    words('(?:zusatzlich|weiter|extra)\\w{0,20}[ -](?:person|gast|erwachsene)', 'zusatz(?:person|gast)', 'extraperson'),
    words('(?:personne|voyageur|invite|adulte)s? (?:supplementaire|additionnel|en plus)'),
    words('(?:persona|huesped|invitado)(?:e?s)? (?:extra|adicional|supplementar|aggiuntiv)'),
    words('(?:ospit[ei]|person[ae]) (?:extra|in piu|supplementar|aggiuntiv)', 'persone extra'),
    words('(?:pessoa|hospede)s? (?:extra|adiciona)', '(?:extra|bijkomende) (?:gast|person|persoon)'),
  ],
  [
    'conditional_early_checkin',
    words(
      'early[ -](?:check[ -]?in|arrival|access)',
      '(?:fruh|vorzeitig)\\w{0,20}[ -](?:check[ -]?in|anreise|ankunft)',
    ),
    words('fruhanreise', 'arrivee (?:anticipee|tot)', '(?:entrada|llegada|chegada) (?:anticipada|antecipada|temprana)'),
    words('check[ -]?in (?:anticip|antecip|temprano)', 'arrivo anticipato'),
    words('(?:vroeg|vervroegd)\\w{0,20}[ -](?:inchecken|check[ -]?in|aankomst)'),
  ],
  [
    'conditional_late_checkout',
    words(
      'late[ -](?:check[ -]?out|departure)',
      '(?:spat|verspatet)\\w{0,20}[ -](?:check[ -]?out|abreise)',
      'spatabreise',
    ),
    words('depart tardif', '(?:salida|saida) tardia', 'partenza (?:posticipata|tardiva)'),
    words('check[ -]?out (?:tardi|posticip)', '(?:laat|late|verlaat)\\w{0,20}[ -](?:uitchecken|check[ -]?out|vertrek)'),
  ],
  [
    'conditional_smoking',
    words(
      'smok',
      'vap(?:e|ing)\\b',
      'cigar',
      'fum(?:ar|er|o|are|ador|eur|atori|ante)s?\\b',
      'tabac',
      'tabaco',
      'tabacco',
    ),
    words('roken\\b', 'rook(?:verbod|vrij|boete)?\\b', 'rauch', 'nichtrauch'),
  ],
  [
    'conditional_lost_key',
    words('(?:lost|missing|unreturned|replacement|damaged)[^.]{0,20}\\b(?:keys?|keycards?|fobs?|remotes?)\\b'),
    words('(?:keys?|keycards?|fobs?) (?:loss|lost|missing|replacement|not returned)'),
    words('(?:perte|perdu)[^.]{0,20}\\bcle', 'cles? (?:perdu|non rendu)'),
    words('(?:perdida|extravio)[^.]{0,20}\\bllave', 'llaves? (?:perdida|extraviada)'),
    words('(?:smarrimento|perdita)[^.]{0,20}\\bchiav', 'chiav[ei] (?:pers[ae]|smarrit)'),
    words('(?:perda|extravio)[^.]{0,20}\\bchave', 'chaves? perdida'),
    compound('schlusselverlust', 'verlorene\\w{0,20} schlussel', 'verlust[^.]{0,20}schlussel', 'schlussel verloren'),
    compound('sleutelverlies', 'verloren sleutel', 'verlies[^.]{0,20}sleutel', 'sleutels? (?:kwijt|verloren)'),
  ],
  [
    'conditional_noise_party',
    words('(?<!third[ -])part(?:y|ies\\b)', 'nois[ey]', 'loud', 'quiet hours', 'bruit', 'tapage', 'nuisances? sonore'),
    words('fetes?\\b', 'ruido', 'fiestas?\\b', 'rumor[ei]\\b', 'festas?\\b', 'barulho', 'feest(?:en|je)?\\b', 'lawaai'),
    words('larm', 'feier(?!tag)'),
    compound('ruhestorung', 'geluidsoverlast'),
  ],
  [
    'conditional_excess_cleaning',
    words('(?:excess\\w{0,20}|extra|additional|deep|heavy|special|extraordinary)[ -](?:clean|mess|dirt|trash)'),
    words('(?:zusatzlich|extra|besonder|ubermassig|stark)\\w{0,20}[ -](?:\\w{0,20}reinigung|verschmutzung)'),
    words('(?:sonder|extra|zusatz|intensiv)reinigung'),
    words('(?:menage|nettoyage) (?:supplementaire|excessif|extra|exceptionnel|en profondeur)'),
    words('limpieza (?:extra|adicional|excesiva|profunda|especial)', 'limpeza (?:extra|adicional|excessiva|pesada)'),
    words('pulizi[ae] (?:extra|aggiuntiv|straordinari|supplementar|eccessiv)'),
    words('(?:extra|overmatige|bijkomende) (?:schoonmaak|reiniging|vervuiling)'),
  ],
  [
    'conditional_parking',
    words('parking', 'garage', 'car (?:space|park)', 'stationnement', 'aparcamiento', 'estaciona', 'cochera'),
    words('parchegg', 'posto auto', 'parke(?:n|ren|er)', 'vaga de garagem', 'garagem'),
    compound('parkplatz', 'stellplatz', 'tiefgarage', 'parkeer'),
  ],
  [
    'conditional_damage',
    words(
      'damag',
      'breakage',
      'broken',
      'degat',
      'dommage',
      'degradation',
      'danos?\\b',
      'rotura',
      'dann[oi]\\b',
      'rottur',
    ),
    compound('schaden', 'beschadigung', 'schade\\b', 'schadevergoeding', 'beschadiging'),
  ],
];

const MANDATORY_WORDS: WordList = [
  [
    'mandatory_cleaning',
    words('clean', 'housekeeping', 'menage', 'nettoyage', 'limpieza', 'limpeza', 'pulizi'),
    compound('reinigung', 'schoonmaak', 'reiniging'),
  ],
  ['mandatory_resort', words('resort', 'amenit', 'facility', 'facilities', 'destination fee')],
  [
    'mandatory_linen',
    words('linens?\\b', 'towel', 'bedding', 'bed ?sheets?\\b', 'linge\\b', 'draps\\b', 'serviettes', 'ropa de cama'),
    words('sabanas', 'toallas', 'biancheria', 'lenzuola', 'asciugamani', 'roupas? de cama', 'lencois', 'toalhas'),
    compound('bettwasche', 'waschepaket', 'handtuch', 'linnen', 'beddengoed', 'handdoek', 'lakens'),
  ],
  [
    'mandatory_utility',
    words('utilit', 'electric', 'energy\\b', 'heating', 'water\\b', 'gas\\b', 'eau\\b', 'chauffage', 'suministros'),
    words(
      'calefaccion',
      'agua\\b',
      'luz\\b',
      'elettricita',
      'riscaldamento',
      'utenze',
      'acqua\\b',
      'energia',
      'eletric',
    ),
    words('aquecimento', 'elektri', 'energie', 'strom', 'stroom'),
    compound('nebenkosten', 'heizkosten', 'heizung', 'verwarming'),
  ],
  [
    'mandatory_tax',
    words(
      'tax(?:e?s?)\\b',
      'vat\\b',
      'lev(?:y|ies)\\b',
      'occupancy',
      'tva\\b',
      'iva\\b',
      'btw\\b',
      'impuesto',
      'imposto',
    ),
    words('(?:tasa|taxa) (?:turistica|municipal|de turismo)', 'tassa', 'imposta'),
    compound('kurtaxe', 'ortstaxe', 'kurbeitrag', 'gastebeitrag', 'steuer(?!ung)', 'tourismusabgabe', 'belasting'),
  ],
  [
    'mandatory_deposit',
    words(
      'deposit',
      'kaution',
      'caution\\b',
      'depot de garantie',
      'fianza',
      'cauzione',
      'caucao',
      'borg\\b',
      'borgsom',
    ),
    words('waarborg', 'mietkaution'),
  ],
  [
    'mandatory_community',
    words(
      'community',
      'communaute',
      'hoa\\b',
      'homeowners?',
      'condo',
      'copropriete',
      'comunidad',
      'comunita',
      'vve\\b',
    ),
    compound('gemeinschaft', 'gemeenschap'),
  ],
  [
    'mandatory_management',
    words(
      'management',
      'admin',
      'service[ -]?(?:fee|charge)',
      'booking fee',
      'processing',
      'frais de (?:service|dossier)',
    ),
    words('gest(?:ion|ione|ao)\\b', 'amministra', 'taxa de servico', 'beheer', 'administratie'),
    compound('verwaltung', 'servicegebuhr', 'servicepauschale', 'bearbeitungsgebuhr', 'servicekosten'),
  ],
];

/** Returns the text in lower case, without accents and with single spaces. */
function normalise(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[\s\u2010-\u2015]+/g, (gap) => (/\s/.test(gap) ? ' ' : '-'));
}

function firstMatch(list: WordList, text: string): FeeType | null {
  return list.find(([, ...patterns]) => patterns.some((pattern) => pattern.test(text)))?.[0] ?? null;
}

/**
 * Returns the fee type that the words suggest, or null when no word matches. Conditional words have
 * priority over mandatory ones, as in "Cleaning fee — only after a party". The label has priority
 * over the description.
 */
export function classifyFee(fee: { label: string; description?: string | null }): FeeType | null {
  const label = normalise(fee.label);
  const description = normalise(fee.description ?? '');
  return (
    firstMatch(CONDITIONAL_WORDS, label) ??
    firstMatch(CONDITIONAL_WORDS, description) ??
    firstMatch(MANDATORY_WORDS, label) ??
    firstMatch(MANDATORY_WORDS, description)
  );
}
