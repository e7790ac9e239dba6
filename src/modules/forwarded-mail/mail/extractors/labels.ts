/** Labelled values in a mail's text ("Guest: Jane", or the label on one line and the value on the next), in several languages. */
import { splitLabel } from '../label-line';

export type LabelledField =
  | 'guest_name'
  | 'guest_email'
  | 'checkin'
  | 'checkout'
  | 'dates'
  | 'reservation_code'
  | 'channel'
  | 'guest_count'
  | 'property';

// biome-ignore format: a line per language reads better.
const LABELS: Record<LabelledField, readonly string[]> = {
  guest_name: [
    'guest', 'guest name', 'name of guest', 'traveler', 'traveller', 'traveler name', 'traveller name', 'booked by', 'booker', 'primary guest', 'lead guest', 'name',
    'voyageur', 'nom du voyageur', 'client', 'nom du client', 'nom de l’hôte voyageur', 'réservé par', 'nom',
    'gast', 'name des gastes', 'gastname', 'reisender', 'name des reisenden', 'gebucht von',
    'huésped', 'nombre del huésped', 'viajero', 'nombre del viajero', 'cliente', 'nombre del cliente', 'reservado por', 'nombre',
    'ospite', 'nome dell’ospite', 'nome ospite', 'viaggiatore', 'prenotato da', 'nome',
    'naam gast', 'naam van de gast', 'reiziger', 'geboekt door', 'naam', 'hóspede', 'nome do hóspede', 'viajante', 'gäst', 'gæst', 'gjest', 'ゲスト', '客人', '房客',
  ],
  guest_email: [
    'email', 'e-mail', 'guest email', 'guest e-mail', 'email address', 'e-mail address', 'traveler email', 'traveller email', 'guest’s email',
    'adresse e-mail', 'adresse email', 'courriel', 'e-mail du voyageur', 'e-mail du client', 'adresse e-mail du voyageur', 'e-mail-adresse', 'e-mail des gastes', 'e-mail-adresse des gastes',
    'correo', 'correo electrónico', 'correo electrónico del huésped', 'indirizzo e-mail', 'email ospite', 'e-mail ospite', 'e-mailadres', 'e-mailadres gast', 'e-mail do hóspede', 'メール',
  ],
  checkin: [
    'check-in', 'check in', 'checkin', 'check-in date', 'checkin date', 'arrival', 'arrival date', 'arrives', 'arriving', 'arrivée', 'date d’arrivée', 'anreise', 'anreisedatum', 'ankunft', 'ankunftsdatum',
    'llegada', 'fecha de llegada', 'entrada', 'fecha de entrada', 'arrivo', 'data di arrivo', 'aankomst', 'aankomstdatum', 'inchecken', 'incheckdatum', 'chegada', 'data de chegada', 'data de entrada',
    'incheckning', 'ankomst', 'indtjekning', 'innsjekking', 'チェックイン', '入住', '체크인',
  ],
  checkout: [
    'check-out', 'check out', 'checkout', 'check-out date', 'checkout date', 'departure', 'departure date', 'departs', 'leaving', 'départ', 'date de départ', 'abreise', 'abreisedatum',
    'salida', 'fecha de salida', 'partenza', 'data di partenza', 'vertrek', 'vertrekdatum', 'uitchecken', 'uitcheckdatum', 'saída', 'data de saída', 'partida', 'data de partida',
    'utcheckning', 'avresa', 'udtjekning', 'afrejse', 'utsjekking', 'avreise', 'チェックアウト', '退房', '체크아웃',
  ],
  dates: ['dates', 'stay', 'stay dates', 'travel dates', 'dates du séjour', 'séjour', 'reisedaten', 'aufenthalt', 'zeitraum', 'reisezeitraum', 'fechas', 'estancia', 'fechas de la estancia', 'date del soggiorno', 'soggiorno', 'datums', 'verblijf', 'datas', 'estadia', 'datum', 'date'],
  reservation_code: [
    'reservation code', 'confirmation code', 'booking code', 'reservation id', 'booking id', 'reservation number', 'booking number', 'confirmation number', 'reference', 'booking reference', 'reservation reference', 'reservation',
    'code de confirmation', 'code de réservation', 'numéro de réservation', 'numéro de confirmation', 'référence', 'bestätigungscode', 'buchungscode', 'buchungsnummer', 'reservierungsnummer', 'reservierungscode', 'buchungs-id', 'reservierungs-id',
    'código de confirmación', 'código de reserva', 'número de reserva', 'número de confirmación', 'codice di conferma', 'codice di prenotazione', 'codice prenotazione', 'numero di prenotazione', 'numero prenotazione',
    'bevestigingscode', 'reserveringscode', 'reserveringsnummer', 'boekingsnummer', 'código de confirmação', 'número da reserva', 'número de reserva', 'bokningsnummer', 'bekräftelsekod', 'bookingnummer', '確認コード', '予約番号', '确认码',
  ],
  channel: ['channel', 'source', 'portal', 'canal', 'kanal', 'canale', 'kanaal'],
  guest_count: ['guests', 'number of guests', 'voyageurs', 'gäste', 'huéspedes', 'ospiti', 'gasten', 'hóspedes', 'adults'],
  property: ['property', 'listing', 'logement', 'unterkunft', 'alojamiento', 'alloggio', 'accommodatie'],
};

const fold = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['`´]/g, '’')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim();
const FIELDS = new Map(
  (Object.keys(LABELS) as LabelledField[]).flatMap((field) =>
    LABELS[field].map((label): [string, LabelledField] => [fold(label), field]),
  ),
);
const ENGLISH = new Set(
  [
    'check-in',
    'check in',
    'checkin',
    'check-out',
    'check out',
    'checkout',
    'guest',
    'email',
    'e-mail',
    'name',
    'dates',
    'date',
    'reference',
    'reservation',
    'channel',
    'source',
    'portal',
  ].map(fold),
);

export interface Labelled {
  readonly field: LabelledField;
  readonly value: string;
}

export interface LabelledMail {
  /** Values in the mail's order; of several for a field, callers use the first that makes sense. */
  readonly values: readonly Labelled[];
  /** A label was in another language than English, which settles how dates are written. */
  readonly foreign: boolean;
}

/** All labelled values of a text. */
export function readLabels(text: string): LabelledMail {
  const values: Labelled[] = [];
  let foreign = false;
  const lines = text.split('\n').map((line) => line.replace(/^\s*(?:> ?)+/, '').trim());
  for (let index = 0; index < Math.min(lines.length, 1_500); index += 1) {
    const cells = lines[index]!.split('\t').map((cell) => cell.trim());
    const fields = cells.map(labelOf);
    for (const [cell, field] of fields.entries()) {
      if (!field) continue;
      if (field.foreign) foreign = true;
      const value = field.value || valueAfter(lines, index, cells, fields, cell);
      if (value) values.push({ field: field.name, value: value.slice(0, 300) });
    }
  }
  return { values, foreign };
}

/** The values of one field, in the mail's order. */
export function valuesOf(mail: LabelledMail, field: LabelledField): string[] {
  return mail.values.filter((value) => value.field === field).map(({ value }) => value);
}

interface Label {
  readonly name: LabelledField;
  readonly value: string;
  readonly foreign: boolean;
}

const LONGEST_LABEL = 50;

/** A cell that is a label, or a label with its value after a colon. */
function labelOf(cell: string): Label | null {
  if (cell === '' || cell.length > 300) return null;
  const colon = splitLabel(cell, LONGEST_LABEL);
  const word = fold((colon?.label ?? cell).replace(/[*_]/g, ''));
  const name = FIELDS.get(word);
  if (!name) return null;
  // "Email" without a colon is a label, "Name" or "Date" alone is too likely something else.
  if (!colon && ['name', 'nom', 'nome', 'naam', 'nombre', 'date', 'reservation', 'client', 'cliente'].includes(word))
    return null;
  return {
    name,
    value: colon?.value ?? '',
    foreign: isForeign(word),
  };
}

const FOREIGN_PLAIN =
  /^(?:voyageur|nom |courriel|gast|reise|anreise|abreise|ankunft|buchung|reservierung|llegada|salida|entrada|fecha|correo|nombre|ospite|arrivo|partenza|codice|numero|indirizzo|aankomst|vertrek|inchecken|uitchecken|boeking|bevestiging|chegada|partida|estancia|soggiorno|verblijf|e-mailadres|e-mail-adresse|adresse e|naam|bokning|ankomst)/;
const isForeign = (word: string) => !ENGLISH.has(word) && (FOREIGN_PLAIN.test(word) || !/^[a-z’ -]+$/.test(word));

/** The value beside the label, below it in its column, or on the next line. */
function valueAfter(
  lines: readonly string[],
  index: number,
  cells: string[],
  fields: (Label | null)[],
  cell: number,
): string {
  const beside = cells[cell + 1];
  if (beside && !fields[cell + 1]) return beside;
  for (let next = index + 1; next < Math.min(lines.length, index + 4); next += 1) {
    if (lines[next] === '') continue;
    const below = lines[next]!.split('\t').map((value) => value.trim());
    const value = (cells.length > 1 ? below[cell] : lines[next]!.replace(/\t/g, ' ')) ?? '';
    return labelOf(value) ? '' : value;
  }
  return '';
}
