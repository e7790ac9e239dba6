/**
 * Separates the channel's own text from text that the guest wrote. The guest's text is quoted, or
 * below a label like "Message", or between the channel's lines, where only "I" and "my" distinguish
 * it. Pure.
 */
import { foldCaseAndAccents, PhraseMatcher, splitWords } from '@/shared/text/phrases';
import { splitLabelledLine } from '../label-line';

export interface ChannelMailParagraph {
  /** The paragraph's lines, joined with spaces. */
  readonly whole: string;
  /** Each line of the paragraph and each of its sentences. */
  readonly sentences: readonly string[];
}

/** Labels above text that the guest wrote, one or two languages on each line. */
// biome-ignore format: a language a line.
const MESSAGE_LABELS = [
  'message', 'guest message', 'comment', 'comments', 'guest comments', 'special request', 'special requests', 'note', 'notes', 'remarks', 'traveler message', 'traveller message',
  'commentaire', 'commentaires', 'demandes spéciales', 'demandes particulières', 'remarques', 'nachricht', 'sonderwünsche', 'besondere wünsche', 'bemerkungen', 'kommentar', 'anmerkungen',
  'mensaje', 'peticiones especiales', 'solicitudes especiales', 'comentarios', 'observaciones', 'messaggio', 'richieste speciali', 'commenti', 'note', 'mensagem', 'pedidos especiais', 'comentários', 'observações',
  'bericht', 'speciale verzoeken', 'opmerkingen', 'meddelande', 'önskemål', 'särskilda önskemål', 'kommentarer', 'besked', 'melding', 'særlige ønsker', 'spesielle ønsker', 'bemærkninger',
  'viesti', 'erityispyynnöt', 'lisätiedot', 'wiadomość', 'specjalne życzenia', 'uwagi', 'zpráva', 'zvláštní požadavky', 'poznámky', 'správa', 'osobitné požiadavky', 'poruka', 'posebni zahtjevi', 'napomene', 'sporočilo',
  'üzenet', 'különleges kérések', 'megjegyzések', 'mesaj', 'cereri speciale', 'observații', 'missatge', 'peticions especials', 'comentaris', 'μήνυμα', 'ειδικά αιτήματα', 'σχόλια', 'özel istekler', 'notlar',
  'сообщение', 'особые пожелания', 'комментарии', 'примечания', 'повідомлення', 'особливі побажання', 'коментарі', 'メッセージ', 'ご要望', '備考', '留言', '特殊要求', '备注', '備註', '메시지', '요청 사항', '메모',
].map(foldCaseAndAccents);

/**
 * Words in the first person singular, which channels do not use. One or two languages on each line.
 */
// biome-ignore format: a language a line.
const FIRST_PERSON = new PhraseMatcher([
  'i|my|mine|myself', 'je|j|mon|ma|mes', 'ich|mein|meine|meinen|meiner|meinem|mich|mir', 'yo|mi|mis|mío|mía', 'io|mio|mia|miei', 'eu|meu|minha|meus|minhas', 'ik|mijn|mij',
  'jag|min|mitt|mina|mig', 'jeg|mit|mine|meg', 'minä|minun|minulla|lentoni', 'ja|mój|moja|moje|mnie', 'já|můj|má|moje|môj', 'moj|moji|meni', 'én|járatom|nekem', 'eu|meu|mea|mele', 'jo|meva|meu',
  'εγω|μου', 'ben|benim|uçuşum', 'я|мой|моя|мои|меня|мне', 'мій|мої|мене|мені', '私|わたし|僕|我的|我|저는|제',
]);

const LONGEST_LABEL = 60;

/** Returns the paragraphs that the channel wrote. A text without empty lines is one paragraph. */
export function extractParagraphsWrittenByChannel(text: string): ChannelMailParagraph[] {
  const own: ChannelMailParagraph[] = [];
  for (const lines of paragraphsWithoutMessages(text)) {
    const whole = lines.join(' ');
    if (!isFirstPersonText(whole)) own.push({ whole, sentences: [...lines, ...whole.split(/[.!?;。！？]/u)] });
  }
  return own;
}

/**
 * Returns the lines that the channel wrote. Omits quotations, and text below the label of a guest's
 * message.
 */
export const extractChannelWrittenLines = (text: string): string[] => paragraphsWithoutMessages(text).flat();

function paragraphsWithoutMessages(text: string): string[][] {
  const own: string[][] = [];
  let guests_next = false;
  for (const lines of paragraphsOf(removeQuotedText(text))) {
    if (guests_next) {
      guests_next = false;
      continue;
    }
    const label = lines.findIndex(isMessageLabel);
    // A guest's message follows its label: on the same line, on the lines below, or in the next
    // paragraph.
    guests_next =
      label === lines.length - 1 && (splitLabelledLine(lines[label] ?? '', LONGEST_LABEL)?.value ?? '') === '';
    const kept = label < 0 ? lines : lines.slice(0, label);
    if (kept.length > 0) own.push(kept);
  }
  return own;
}

function paragraphsOf(text: string): string[][] {
  const paragraphs: string[][] = [[]];
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed === '') paragraphs.push([]);
    // A line that begins with `>` is a quotation.
    else if (!trimmed.startsWith('>')) paragraphs.at(-1)!.push(trimmed);
  }
  return paragraphs.filter((lines) => lines.length > 0);
}

/**
 * Returns whether the line is a label of the guest's text, such as "Message", "Message from Jane:"
 * or "Special requests: a cot".
 */
function isMessageLabel(line: string): boolean {
  const colon = splitLabelledLine(line, LONGEST_LABEL);
  const label = foldCaseAndAccents(colon?.label ?? line).trim();
  return MESSAGE_LABELS.some((word) => label === word || (colon !== null && label.startsWith(`${word} `)));
}

/** Returns whether the text is in the first person singular. */
export function isFirstPersonText(text: string): boolean {
  const folded = foldCaseAndAccents(text);
  return FIRST_PERSON.isIn(folded, splitWords(folded));
}

/** Removes quoted text. Ignores a quotation mark that is never closed. */
export const removeQuotedText = (text: string): string =>
  text.replace(/[“„«»"「『][^“”„«»"「」『』]{0,2000}[”“»«"」』]/gu, ' ');
