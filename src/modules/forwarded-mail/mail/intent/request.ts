/**
 * Recognizes booking requests and inquiries, which are not bookings. The two errors differ in cost:
 * a booking mistaken for a request waits in the inbox, but a request mistaken for a booking creates
 * a reservation for a guest who never arrives.
 */
import { foldCaseAndAccents, splitWords } from '@/shared/text/phrases';
import { extractParagraphsWrittenByChannel } from './guest-messages';
import { BOOKING_NOUNS } from './phrases';

/** Words for a request in a subject, one language on each line. */
// biome-ignore format: a language a line.
const ASKING = [
  String.raw`\brequest(?:s|ed)?\b|\b[ie]nquir(?:y|ies|es)\b|\bpending\b|\bawaiting\b|pre-?approv|\bto be confirmed\b|\bplease confirm\b|\bwants? to (?:book|stay)\b|\bneeds? your (?:confirmation|approval|response|answer)`,
  'anfrage|bitte bestätigen|ausstehend|vorläufig|möchte buchen',
  String.raw`demande(?!\p{L})|\ben attente\b|à confirmer|souhaite (?:réserver|séjourner)`,
  String.raw`solicitud|consulta|(?<!\p{L})pendiente|por confirmar|quiere reservar`,
  String.raw`richiesta|\bin attesa\b|da confermare|vuole prenotare`,
  'aanvraag|aanvragen|verzoek|in behandeling|te bevestigen|wil boeken',
  String.raw`(?<!\p{L})pedido|solicitação|(?<!\p{L})pendente(?!\p{L})|a confirmar|quer reservar`,
  'förfrågan|bokningsbegäran|väntande|vill boka',
  'forespørgsel|anmodning|afventer|forespørsel|venter på',
  'pyyntö|tiedustelu|odottaa',
  'zapytanie|prośba|oczekuj|žádost|poptávka|žiadosť|dopyt|zahtjev|zahtev|povpraševanje|(?<!\\p{L})upit(?!\\p{L})',
  'kérelem|foglalási igény|érdeklődés|függőben|cerere|solicitare|în așteptare|sol·licitud|(?<!\\p{L})pendent(?!\\p{L})',
  String.raw`запрос|ожида|запит|очіку|ζήτηση|αίτημα|εκκρεμ|(?<!\p{L})talebi(?!\p{L})|isteği|bekliyor|beklemede`,
  'リクエスト|問い合わせ|承認待ち|仮予約|请求|請求|申请|申請|咨询|諮詢|询问|詢問|待确认|待確認|요청|문의|대기',
];

/**
 * Phrases that occur only in mails that require the host's decision. They may be in any part of the
 * text.
 */
// biome-ignore format: a language a line.
const TO_DECIDE = [
  String.raw`\b(?:24|48) hours to (?:accept|answer|decide|reply|respond)|\bpre-?approve\P{L}{1,6}(?:or\P{L}{1,6})?decline`,
  String.raw`\baccept\P{L}{1,6}(?:or\P{L}{1,6})?(?:decline|reject|refuse)|\bconfirm\P{L}{1,6}(?:or\P{L}{1,6})?(?:decline|reject|refuse)`,
  String.raw`annehmen\P{L}{1,6}(?:oder\P{L}{1,6})?ablehnen`,
  String.raw`accepte[rz]\P{L}{1,6}(?:ou\P{L}{1,6})?(?:refuse|décline)[rz]`,
  String.raw`acepta[r]?\P{L}{1,6}(?:o\P{L}{1,6})?(?:rechaza|declina)`,
  String.raw`accetta(?:re)?\P{L}{1,6}(?:o\P{L}{1,6})?(?:rifiuta|declina)`,
  String.raw`accepte(?:er|ren)\P{L}{1,6}(?:of\P{L}{1,6})?(?:weiger|wijs|afwijz)`,
  String.raw`aceit(?:e|ar)\P{L}{1,6}(?:ou\P{L}{1,6})?(?:recus|rejeit)`,
  String.raw`(?:acceptera|godkänn)\P{L}{1,6}(?:eller\P{L}{1,6})?(?:neka|avböj|avvisa)`,
  String.raw`(?:accept[eé]r|godkend|godta)\P{L}{1,6}(?:eller\P{L}{1,6})?(?:afvis|avslå|avvis)`,
  String.raw`hyväksy\P{L}{1,6}(?:tai\P{L}{1,6})?hylkää`,
  String.raw`(?:zaakceptuj|przyjmij)\P{L}{1,6}(?:lub\P{L}{1,6})?odrzuć`,
  String.raw`přijmout\P{L}{1,6}(?:nebo\P{L}{1,6})?odmítnout`,
  String.raw`prijať\P{L}{1,6}(?:alebo\P{L}{1,6})?odmietnuť`,
  String.raw`prihvati(?:te)?\P{L}{1,6}(?:ili\P{L}{1,6})?odbij`,
  String.raw`elfogad\p{L}{0,6}\P{L}{1,6}(?:vagy\P{L}{1,6})?elutasít`,
  String.raw`accept(?:ă|ați)\P{L}{1,6}(?:sau\P{L}{1,6})?(?:refuz|respinge)`,
  String.raw`accepta\P{L}{1,6}(?:o\P{L}{1,6})?rebutja`,
  String.raw`αποδοχή\P{L}{1,6}(?:ή\P{L}{1,6})?απόρριψη`,
  String.raw`kabul et\P{L}{1,6}(?:veya\P{L}{1,6})?reddet`,
  String.raw`принять\P{L}{1,6}(?:или\P{L}{1,6})?отклонить`,
  String.raw`прийняти\P{L}{1,6}(?:або\P{L}{1,6})?відхилити`,
  '承認または辞退|接受或拒绝|接受或婉拒|수락 또는 거절',
];

/** Phrases that mean that a booking is not confirmed. */
// biome-ignore format: a language a line.
const DENIED = [
  String.raw`\b(?:not|isn[’']t|hasn[’']t)(?: yet| been){0,3} confirmed|\bunconfirmed\b`,
  'nicht bestätigt|unbestätigt',
  "(?:non|pas(?: encore)?) confirmée?|n[’']est pas (?:encore )?confirmée?",
  String.raw`\bno (?:está |ha sido )?(?:aún |todavía )?confirmad|sin confirmar`,
  'non (?:è )?(?:ancora )?(?:stata )?confermat',
  'niet bevestigd|onbevestigd',
  'não (?:está |foi )?(?:ainda )?confirmad',
  '(?:inte|ej) bekräfta|obekräftad',
  'ikke bekr[æe]ftet|ikke bekreftet|ubekr[æe]ftet|ubekreftet',
  'ei (?:ole )?(?:vielä )?vahvistettu|vahvistamaton',
  'niepotwierdzon|nie została (?:jeszcze )?potwierdzon',
  'nepotvrzen|není (?:zatím |ještě )?potvrzen',
  'nepotvrden|nie je (?:zatiaľ |ešte )?potvrden',
  'nepotvrđen|nije (?:još )?potvrđen|ni (?:še )?potrjen',
  'nincs (?:még )?(?:megerősít|visszaigazol)|nem megerősített|visszaigazolatlan',
  'neconfirmat|nu (?:este|a fost) (?:încă )?confirmat',
  'no està (?:encara )?confirmad',
  'δεν έχει (?:ακόμα |ακόμη )?επιβεβαιωθεί|μη επιβεβαιωμέν',
  'onaylanma(?:dı|mış)|onaysız',
  'не подтвержд|неподтвержд',
  'не підтвердж|непідтвердж',
  '未確定|未確認|未确认|미확정|확정되지 않',
];

const patterns = (lines: readonly string[]) => lines.map((words) => new RegExp(words, 'iu'));
const asking = patterns(ASKING);
const to_decide = patterns(TO_DECIDE);
const denied = patterns(DENIED);

const says = (words: readonly RegExp[], text: string) => words.some((pattern) => pattern.test(text));

/**
 * Returns whether a subject, without the names in it, requests a booking or states that it is
 * unconfirmed.
 */
export const isBookingRequestSubject = (subject: string): boolean =>
  says(asking, subject) || says(to_decide, subject) || says(denied, subject);

/** A sentence of at most this many words is assumed to be about the booking. */
const FEW_WORDS = 4;

/**
 * Returns whether the channel's own text requests the host's decision or states that the booking is
 * unconfirmed. Ignores the guest's text.
 */
export function isBookingRequestBody(text: string): boolean {
  const own = extractParagraphsWrittenByChannel(text);
  if (own.some(({ whole }) => says(to_decide, whole))) return true;
  return own.some(({ sentences }) => sentences.some((sentence) => says(denied, sentence) && isOfBooking(sentence)));
}

/**
 * Returns whether the sentence is about a booking. Other sentences may be about an unconfirmed
 * flight or visa.
 */
function isOfBooking(sentence: string): boolean {
  const folded = foldCaseAndAccents(sentence);
  const words = splitWords(folded);
  return words.length <= FEW_WORDS || BOOKING_NOUNS.isIn(folded, words);
}
