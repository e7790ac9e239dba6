/**
 * The mail inside a forwarded one, when the forwarding programme wrote it into the text: Gmail, Outlook and Apple Mail
 * each put the original's header lines above it, in the language of the person who forwards. What they share is the
 * header block itself, so that is what is looked for, and not the words above it, which differ most.
 */
import { splitLabel } from './label-line';

export interface InlineOriginal {
  /** As written: `Channel A <automated@channel-a.example>`. */
  readonly from: string | null;
  readonly subject: string | null;
  readonly date: string | null;
  readonly text: string;
}

type Field = 'from' | 'to' | 'date' | 'subject' | 'other';

const LABELS: Record<Field, readonly string[]> = {
  from: [
    'from',
    'de',
    'von',
    'da',
    'van',
    'från',
    'fra',
    'lähettäjä',
    'od',
    'от',
    'від',
    'από',
    'gönderen',
    'kimden',
    'feladó',
    '差出人',
    '发件人',
    '寄件者',
    '보낸 사람',
  ],
  to: [
    'to',
    'à',
    'an',
    'para',
    'a',
    'aan',
    'till',
    'til',
    'vastaanottaja',
    'do',
    'komu',
    'кому',
    'προς',
    'kime',
    'alıcı',
    'címzett',
    '宛先',
    '收件人',
    '收件者',
    '받는 사람',
    'pour',
    'destinataire',
    'destinatario',
  ],
  date: [
    'date',
    'sent',
    'envoyé',
    'gesendet',
    'datum',
    'fecha',
    'enviado',
    'enviado el',
    'enviada em',
    'data',
    'inviato',
    'verzonden',
    'skickat',
    'sendt',
    'dato',
    'päivämäärä',
    'lähetetty',
    'wysłano',
    'odesláno',
    'дата',
    'отправлено',
    'ημερομηνία',
    'tarih',
    'dátum',
    '日付',
    '送信日時',
    '日期',
    '发送时间',
    '寄件日期',
    '날짜',
  ],
  subject: [
    'subject',
    'objet',
    'betreff',
    'asunto',
    'oggetto',
    'onderwerp',
    'assunto',
    'ämne',
    'emne',
    'aihe',
    'temat',
    'předmět',
    'тема',
    'θέμα',
    'konu',
    'tárgy',
    '件名',
    '主题',
    '主旨',
    '제목',
  ],
  other: [
    'cc',
    'cc:',
    'kopie',
    'copie',
    'copia',
    'kopia',
    'reply-to',
    'répondre à',
    'antwort an',
    'responder a',
    'rispondi a',
    'importance',
    'wichtigkeit',
    'priorität',
  ],
};
const FIELD_OF = new Map<string, Field>(
  (Object.keys(LABELS) as Field[]).flatMap((field) => LABELS[field].map((label): [string, Field] => [label, field])),
);

const MAX_LINES_SEARCHED = 400;
const LONGEST_LABEL = 32;

/** The original, when the text holds a forwarding header block; null when it does not. */
export function unwrapInline(text: string): InlineOriginal | null {
  const lines = text.split('\n');
  for (let start = 0; start < Math.min(lines.length, MAX_LINES_SEARCHED); start += 1) {
    if (headerAt(lines[start]!)?.field !== 'from') continue;
    const block = readBlock(lines, start);
    if (!block) continue;
    const { found, end } = block;
    const quoted = /^\s*>/.test(lines[start]!);
    const body = lines.slice(end).map((line) => (quoted ? line.replace(/^\s*> ?/, '') : line));
    return {
      from: found.get('from') || null,
      subject: found.get('subject') || null,
      date: found.get('date') || null,
      text: body.join('\n').replace(/^\s+/, ''),
    };
  }
  return null;
}

/** Header lines from `start` on; a block needs a sender and two of date, recipient and subject close together. */
function readBlock(lines: readonly string[], start: number): { found: Map<Field, string>; end: number } | null {
  const found = new Map<Field, string>();
  let end = start;
  let last: Field | null = null;
  let blanks = 0;
  for (let index = start; index < Math.min(lines.length, start + 24); index += 1) {
    const header = headerAt(lines[index]!);
    if (header) {
      if (header.field !== 'other' && found.has(header.field)) break;
      found.set(header.field, header.value);
      last = header.field;
      end = index + 1;
      blanks = 0;
      continue;
    }
    const line = bare(lines[index]!);
    if (line === '') {
      blanks += 1;
      // Apple Mail as text puts an empty line between headers; a longer gap is the body.
      if (blanks > 1 || found.size >= 4) break;
    } else if (last !== null && blanks === 0 && found.get(last) === '') {
      found.set(last, line);
      end = index + 1;
    } else if (
      last !== null &&
      blanks === 0 &&
      (last === 'to' || last === 'subject' || last === 'from') &&
      found.size < 4
    ) {
      // A long subject or recipient goes on in the next line.
      found.set(last, `${found.get(last)} ${line}`);
      end = index + 1;
    } else break;
  }
  const known = (['date', 'to', 'subject'] as const).filter((field) => found.has(field)).length;
  const sender = found.get('from') ?? '';
  return known >= 2 && (sender.includes('@') || (sender !== '' && found.has('subject'))) ? { found, end } : null;
}

function headerAt(raw: string): { field: Field; value: string } | null {
  const labelled = splitLabel(bare(raw), LONGEST_LABEL);
  const field = labelled && FIELD_OF.get(labelled.label.toLowerCase());
  return field ? { field, value: labelled.value.replace(/\t/g, ' ') } : null;
}

const bare = (line: string) => line.replace(/^\s*(?:> ?)+/, '').trim();

const PREFIX =
  /^\s*(?:(?:fwd?|fw|tr|wg|rv|i|enc|doorst|vs|vb|vl|pd|re|aw|sv|antw|ynt|转发|転送|전달)\s*[:：]\s*|\[fwd\]\s*)+/iu;

/** The subject without what forwarding put before it. */
export function plainSubject(subject: string): string {
  return subject.replace(PREFIX, '').trim();
}

/** Whether the subject begins as forwarding programmes make it begin. */
export function hasForwardPrefix(subject: string): boolean {
  return PREFIX.test(subject);
}
