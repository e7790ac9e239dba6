/**
 * Recognizes what mail programs add to a forwarded mail, in the sender's language: a subject prefix
 * and a block of headers.
 */

export type MailHeaderField = 'from' | 'to' | 'date' | 'subject' | 'other';

/** Header labels of Apple Mail, Gmail, Outlook and Thunderbird, one language on each line. */
// biome-ignore format: a language a line.
const HEADERS: readonly (readonly [from: string, to: string, date: string, subject: string, other: string])[] = [
  ['from', 'to', 'date|sent|received', 'subject', 'cc|bcc|reply-to|importance|priority|attachments|resent-from|organization'],
  ['de|expéditeur', 'à|pour|destinataire', 'date|envoyé|envoyé le|date d’envoi', 'objet|sujet', 'copie|copie à|répondre à|importance|pièces jointes'],
  ['von', 'an', 'datum|gesendet|gesendet am', 'betreff', 'kopie|antwort an|wichtigkeit|priorität|anlagen'],
  ['de|remitente', 'para|destinatario', 'fecha|enviado|enviado el|enviado a las', 'asunto', 'copia|responder a|importancia|datos adjuntos'],
  ['da|mittente', 'a|destinatario', 'data|inviato|inviato il', 'oggetto', 'rispondi a|priorità|allegati'],
  ['de|remetente', 'para|destinatário', 'data|enviado|enviada|enviado em|enviada em', 'assunto', 'cópia|responder para|prioridade|anexos'],
  ['van|afzender', 'aan', 'datum|verzonden|verstuurd', 'onderwerp', 'antwoord aan|beantwoorden|urgentie|bijlagen'],
  ['från', 'till', 'datum|skickat', 'ämne', 'kopia|svara till|prioritet|bilagor'],
  ['fra', 'til', 'dato|sendt', 'emne', 'svar til|prioritet|vedhæftede filer|vedlegg'],
  ['lähettäjä', 'vastaanottaja', 'päivämäärä|päiväys|lähetetty', 'aihe', 'kopio|vastausosoite|tärkeys|liitteet'],
  ['od', 'do', 'data|wysłano|wysłane', 'temat', 'dw|odpowiedz do|ważność|załączniki'],
  ['od', 'komu|pro', 'datum|odesláno|odoslané|dátum', 'předmět|predmet', 'kopie|odpověď|důležitost|přílohy'],
  ['feladó', 'címzett', 'dátum|elküldve|küldve', 'tárgy', 'másolatot kap|válaszcím|fontosság'],
  ['de la|expeditor', 'către|catre', 'dată|data|trimis', 'subiect', 'răspunde la|importanță'],
  ['šalje|pošiljatelj|od', 'prima|za', 'datum|poslano', 'predmet', 'kopija|prioritet'],
  ['de', 'per a|a', 'data|enviat', 'assumpte', 'respon a'],
  ['από', 'προς', 'ημερομηνία|στάλθηκε', 'θέμα', 'κοιν|απάντηση σε|σημασία'],
  ['gönderen|kimden', 'kime|alıcı', 'tarih|gönderildi|gönderilme', 'konu', 'bilgi|yanıt|önem'],
  ['от|от кого', 'кому', 'дата|отправлено|дата отправки', 'тема', 'копия|ответить|важность'],
  ['від|від кого', 'кому', 'дата|надіслано', 'тема', 'копія|відповісти'],
  ['差出人|送信者', '宛先', '日付|送信日時|日時', '件名', '返信先|重要度'],
  ['发件人|寄件者|寄件人', '收件人|收件者', '日期|发送时间|发送日期|寄件日期|傳送時間', '主题|主旨|主題', '抄送|副本|回复'],
  ['보낸 사람|보낸사람', '받는 사람|받는사람', '날짜|보낸 날짜|보낸 시간', '제목', '참조|회신'],
];
const FIELDS: readonly MailHeaderField[] = ['from', 'to', 'date', 'subject', 'other'];

/**
 * Maps a header label to its field. A label with different meanings in several languages has the
 * meaning of the first language.
 */
export const FORWARD_HEADER_FIELD_BY_LABEL: ReadonlyMap<string, MailHeaderField> = new Map(
  HEADERS.flatMap((words) =>
    FIELDS.flatMap((field, index) => words[index]!.split('|').map((word): [string, MailHeaderField] => [word, field])),
  ).reverse(),
);

/**
 * Subject prefixes of forwards and replies in every language, with an optional number: "Fwd[2]:".
 */
// biome-ignore format: a word list reads better in lines.
const PREFIX =
  /^\s*(?:(?:fwd?|fw|tr|wg|rv|i|r|enc|res|doorst|vs|vb|vl|pd|odp|re|aw|sv|antw|ynt|ilt|İLT|πρθ|απ|пересл|на|trs|továbbítás|vá|továbbít|redirecționat|转发|轉寄|转寄|轉發|回复|転送|返信|전달|회신)(?:\[\d{1,3}\])?\s?[:：]\s*|\[fwd\]\s*)+/iu;

/** Removes the prefixes of forwards and replies from a subject. */
export function stripForwardPrefix(subject: string): string {
  return subject.replace(PREFIX, '').trim();
}

/** Returns whether the subject has a prefix of a forward or reply. */
export function hasForwardPrefix(subject: string): boolean {
  return PREFIX.test(subject);
}
