/**
 * Determines whether a mail reports a completed cancellation or change of one booking, so that it
 * can be applied without a host's decision. The mail must not be a request, a refusal or a
 * possibility, and the channel's own text must contain the booking's code. Pure.
 */
import { extractChannelWrittenLines, isFirstPersonText } from './guest-messages';
import { isBookingRequestBody, isBookingRequestSubject } from './request';

/**
 * Words in a subject that mean a refusal, a withdrawal, a mere possibility or a message. A host
 * must decide about such mails. One language on each line.
 */
// biome-ignore format: a language a line.
const NOT_DONE = [
  String.raw`declin|reject|refus|\bden(?:y|ied)\b|withdr|expired|fail|unable|\bnot\b|n[’']t\b|cannot|\b(?:can|may|will|could|would|should|to) be\b|\b(?:can|could|would like|wants?|wish(?:es)?|asks?|how|trying|need) (?:to )?\b|propos|suggest|polic(?:y|ies)|terms|remind|message`,
  'abgelehnt|ablehn|zurückgezogen|abgelaufen|(?<!\\p{L})(?:nicht|kann|können|möchte|will|wünscht)(?!\\p{L})|bedingungen|richtlinie|erinnerung|fehlgeschlagen|vorschlag|vorgeschlagen|nachricht',
  'refus|rejet|déclin|retir|expiré|échou|impossible|(?<!\\p{L})(?:pas|peut|souhaite|veut)(?!\\p{L})|conditions|politique|rappel|propos',
  'rechaz|declin|denegad|retirad|caducad|fallid|imposible|(?<!\\p{L})no (?=\\p{L})|(?<!\\p{L})(?:puede|quiere|desea)(?!\\p{L})|política|condiciones|recordatorio|propuest|propone|mensaje',
  'rifiut|declin|respint|ritirat|scadut|impossibil|(?<!\\p{L})(?:non|può|vuole|desidera|vorrebbe)(?!\\p{L})|politic|condizioni|promemoria|propost|propone|messaggio',
  'afgewezen|geweigerd|ingetrokken|verlopen|mislukt|(?<!\\p{L})(?:niet|kan|wil)(?!\\p{L})|voorwaarden|beleid|herinnering|voorstel|bericht',
  'recus|rejeit|retirad|expirad|impossív|(?<!\\p{L})(?:não|pode|quer|deseja)(?!\\p{L})|política|condições|lembrete|propost|propõe|mensagem',
  'avböj|avslag|nekad|avvisa|tillbakadrag|misslyck|(?<!\\p{L})(?:inte|ej|kan|vill)(?!\\p{L})|villkor|policy|påminnelse|förslag|föresl|meddelande',
  'afvis|afslå|avslå|avvis|trukket tilbage|trukket tilbake|mislyk|(?<!\\p{L})(?:ikke|kan|vil|ønsker)(?!\\p{L})|betingelser|vilkår|politik|påmind|forslag|foreslå|besked|melding',
  'hylä|hylkä|kieltäy|vetä|epäonnistu|(?<!\\p{L})(?:ei|voi|voidaan|haluaa)(?!\\p{L})|ehdo|muistutus|viesti',
  'odrzuc|odmów|wycofa|wygas|nieuda|(?<!\\p{L})(?:nie|może|można|chce)(?!\\p{L})|zasad|warunk|przypomn|propoz|propon|wiadomoś',
  'odmít|odmiet|zamít|zamiet|stažen|stiahnut|vzat|nelze|nemož|neby|nebol|(?<!\\p{L})(?:není|nie|může|môže|chce)(?!\\p{L})|podmín|podmien|pravidla|připom|pripom|návrh|navrh|zpráv|správ',
  'odbij|odbi|zavrn|odklon|povuč|(?<!\\p{L})(?:nije|ni|ne|može|lahko|želi)(?!\\p{L})|uvjet|uslov|pogoj|pravila|podsjet|podset|opomnik|prijedlog|predlog|poruk|sporoč',
  'elutasít|visszavon|lejárt|sikertelen|(?<!\\p{L})(?:nem|sem|lehet|szeretné)(?!\\p{L})|feltétel|szabályzat|emlékeztető|javas|üzenet',
  'refuz|respins|retras|eșuat|expirat|(?<!\\p{L})(?:nu|poate|vrea|dorește)(?!\\p{L})|politic|condiți|reaminti|propun|mesaj',
  'rebutj|denegad|caducad|(?<!\\p{L})(?:pot|vol)(?!\\p{L})|condicions|recordatori|missatge',
  'απορρ|απόρρ|αρνή|ανακλήθ|έληξε|(?<!\\p{L})(?:δεν|μη|μπορεί|θέλει|επιθυμεί)(?!\\p{L})|πολιτική|όροι|υπενθύμισ|πρότασ|προτείν|μήνυμα',
  'redded|geri çek|edilme|edileme|başarısız|istiyor|(?<!\\p{L})(?:isteği|değil)(?!\\p{L})|politika|koşul|hatırlat|öneri|mesaj',
  'отклон|отказ|отозва|истек|(?<!\\p{L})(?:не|может|можно|хочет|просит)(?!\\p{L})|правила|условия|напомин|предлож|предлаг|сообщени',
  'відхил|відмов|відклик|минув|(?<!\\p{L})(?:не|може|можна|хоче|просить)(?!\\p{L})|правила|умови|нагадув|пропоз|пропон|повідомлен',
  '拒否|拒絶|辞退|却下|取り下げ|ません|ない|ポリシー|リマインダー|提案|可能|希望|メッセージ|拒绝|拒絕|婉拒|撤回|未|不|政策|提醒|可以|建议|留言|消息|거절|철회|않|못|정책|알림|제안|희망|메시지',
].map((words) => new RegExp(words, 'iu'));

interface Statement {
  /** The subject without the names in it. */
  readonly subject: string;
  readonly whole_subject: string;
  readonly texts: readonly string[];
  readonly reservation_code: string | null;
}

export function isReservationActionInMailCertain({
  subject,
  whole_subject,
  texts,
  reservation_code,
}: Statement): boolean {
  if (reservation_code === null) return false;
  if (
    isBookingRequestSubject(subject) ||
    NOT_DONE.some((words) => words.test(subject)) ||
    texts.some(isBookingRequestBody)
  )
    return false;
  const holdsCode = (line: string) => line.toUpperCase().includes(reservation_code) && !isFirstPersonText(line);
  return holdsCode(whole_subject) || texts.some((text) => extractChannelWrittenLines(text).some(holdsCode));
}
