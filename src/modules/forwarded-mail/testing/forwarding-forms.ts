/**
 * Simulates how mail programs forward a mail: inline as text or HTML, as an attachment, once or
 * twice, and in the forwarder's language. Based on what the programs send, and independent of the
 * parser.
 */
import PostalMime from 'postal-mime';

export interface OriginalMailToForward {
  /** The original message. */
  readonly raw: string;
  readonly from: string;
  readonly subject: string;
  readonly date: Date;
  readonly text: string;
  readonly html: string;
  /** Mails attached to the original. Mail programs keep these when forwarding. */
  readonly files: readonly string[];
}

/**
 * The words that mail programs insert in the forwarder's language: subject prefix, headline, and
 * header labels.
 */
interface Words {
  readonly locale: string;
  readonly prefix: string;
  readonly gmail: string;
  readonly apple: string;
  readonly from: string;
  readonly date: string;
  readonly sent: string;
  readonly to: string;
  readonly subject: string;
}

// biome-ignore format: a language a line.
export const FORWARDED_MAIL_HEADER_WORDS_PER_LOCALE: readonly Words[] = [
  { locale: 'en-US', prefix: 'Fwd', gmail: 'Forwarded message', apple: 'Begin forwarded message:', from: 'From', date: 'Date', sent: 'Sent', to: 'To', subject: 'Subject' },
  { locale: 'de-DE', prefix: 'WG', gmail: 'Forwarded message', apple: 'Anfang der weitergeleiteten Nachricht:', from: 'Von', date: 'Datum', sent: 'Gesendet', to: 'An', subject: 'Betreff' },
  { locale: 'fr-FR', prefix: 'TR', gmail: 'Message transféré', apple: 'Début du message transféré :', from: 'De', date: 'Date', sent: 'Envoyé', to: 'À', subject: 'Objet' },
  { locale: 'es-ES', prefix: 'RV', gmail: 'Mensaje reenviado', apple: 'Inicio del mensaje reenviado:', from: 'De', date: 'Fecha', sent: 'Enviado', to: 'Para', subject: 'Asunto' },
  { locale: 'it-IT', prefix: 'I', gmail: 'Messaggio inoltrato', apple: 'Inizio messaggio inoltrato:', from: 'Da', date: 'Data', sent: 'Inviato', to: 'A', subject: 'Oggetto' },
  { locale: 'nl-NL', prefix: 'Doorst', gmail: 'Doorgestuurd bericht', apple: 'Begin doorgestuurd bericht:', from: 'Van', date: 'Datum', sent: 'Verzonden', to: 'Aan', subject: 'Onderwerp' },
  { locale: 'pt-BR', prefix: 'ENC', gmail: 'Mensagem encaminhada', apple: 'Início da mensagem encaminhada:', from: 'De', date: 'Data', sent: 'Enviada em', to: 'Para', subject: 'Assunto' },
  { locale: 'sv-SE', prefix: 'VB', gmail: 'Vidarebefordrat meddelande', apple: 'Vidarebefordrat brev:', from: 'Från', date: 'Datum', sent: 'Skickat', to: 'Till', subject: 'Ämne' },
  { locale: 'da-DK', prefix: 'VS', gmail: 'Videresendt meddelelse', apple: 'Start på videresendt besked:', from: 'Fra', date: 'Dato', sent: 'Sendt', to: 'Til', subject: 'Emne' },
  { locale: 'fi-FI', prefix: 'VL', gmail: 'Välitetty viesti', apple: 'Välitetty viesti alkaa:', from: 'Lähettäjä', date: 'Päivämäärä', sent: 'Lähetetty', to: 'Vastaanottaja', subject: 'Aihe' },
  { locale: 'pl-PL', prefix: 'PD', gmail: 'Wiadomość przekazana dalej', apple: 'Początek przekazywanej wiadomości:', from: 'Od', date: 'Data', sent: 'Wysłano', to: 'Do', subject: 'Temat' },
  { locale: 'tr-TR', prefix: 'İLT', gmail: 'Yönlendirilmiş ileti', apple: 'İletilen ileti başlangıcı:', from: 'Kimden', date: 'Tarih', sent: 'Gönderildi', to: 'Kime', subject: 'Konu' },
  { locale: 'ja-JP', prefix: 'Fwd', gmail: '転送されたメッセージ', apple: '転送されたメッセージ:', from: '差出人', date: '日付', sent: '送信日時', to: '宛先', subject: '件名' },
];

const HOST = 'Hanna Host <hanna@host.example>';
const DAYS_LATER = 9;

/** Parses a message into the parts that a mail program would forward. */
export async function parseOriginalMailToForward(bytes: Uint8Array): Promise<OriginalMailToForward> {
  const email = await PostalMime.parse(bytes, { forceRfc822Attachments: true });
  const files = email.attachments.filter(
    (part) => part.mimeType === 'message/rfc822' || /\.eml$/.test(part.filename ?? ''),
  );
  const text = email.text?.trim() ? email.text : asText(email.html ?? '');
  return {
    raw: Buffer.from(bytes).toString('latin1'),
    from: `${email.from?.name ?? ''} <${email.from?.address ?? ''}>`,
    subject: email.subject ?? '',
    date: new Date(email.date ?? 0),
    text: text.replaceAll('\r\n', '\n').trim(),
    files: files.map((part) => Buffer.from(part.content as ArrayBuffer).toString('latin1')),
    html: email.html?.trim() ? inner(email.html) : `<div>${escaped(text.trim()).replaceAll('\n', '<br>\n')}</div>`,
  };
}

const inner = (html: string) => /<body[^>]*>([\s\S]*)<\/body>/i.exec(html)?.[1] ?? html;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Converts HTML to text as mail programs do, with one line per table cell. */
function asText(html: string): string {
  const marked = inner(html).replace(/<(?:head|style|title)[\s\S]*?<\/(?:head|style|title)>/gi, '');
  const lines = marked.replace(/<(?:br|\/p|\/div|\/h\d|\/td|\/th|\/tr|\/li)[^>]*>/gi, '\n').replace(/<[^>]+>/g, '');
  return lines.replaceAll('&nbsp;', ' ').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

interface Built {
  readonly subject: string;
  readonly type: string;
  readonly body: string;
}

const TEXT = 'text/plain; charset=utf-8';
const HTML = 'text/html; charset=utf-8';

const day = (date: Date, { locale }: Words) =>
  new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
  }).format(date);
const longDay = (date: Date, { locale }: Words) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' }).format(date);
const quoted = (text: string) => text.replace(/^/gm, '> ').replace(/^> $/gm, '>');

const gmailHead = (mail: OriginalMailToForward, w: Words) =>
  `---------- ${w.gmail} ---------\n${w.from}: ${mail.from}\n${w.date}: ${day(mail.date, w)}\n${w.subject}: ${mail.subject}\n${w.to}: <hanna@host.example>`;

/** Functions that build a forwarded mail, by the mail program and its way of forwarding. */
export const FORWARDED_MAIL_BUILDERS: Readonly<Record<string, (mail: OriginalMailToForward, words: Words) => Built>> = {
  'Gmail as text': (mail, w) => ({
    subject: `Fwd: ${mail.subject}`,
    type: TEXT,
    body: `FYI\n\n${gmailHead(mail, w)}\n\n\n${mail.text}\n`,
  }),
  'Gmail as HTML': (mail, w) => ({
    subject: `Fwd: ${mail.subject}`,
    type: HTML,
    body: `<div dir="ltr"><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${escaped(gmailHead(mail, w)).replaceAll('\n', '<br>')}<br></div><br><br>${mail.html}</div></div>`,
  }),
  'Apple Mail as text': (mail, w) => ({
    subject: `Fwd: ${mail.subject}`,
    type: TEXT,
    body: `Sent from my iPhone\n\n${w.apple}\n\n${quoted(`${w.from}: ${mail.from}\n${w.date}: ${longDay(mail.date, w)}\n${w.to}: hanna@host.example\n${w.subject}: ${mail.subject}\n\n${mail.text}`)}\n`,
  }),
  'Apple Mail as HTML': (mail, w) => ({
    subject: `Fwd: ${mail.subject}`,
    type: HTML,
    body: `<html><body><div><blockquote type="cite"><div>${w.apple}</div><br><div><b>${w.from}: </b>${escaped(mail.from)}<br></div><div><b>${w.subject}: </b><b>${escaped(mail.subject)}</b><br></div><div><b>${w.date}: </b>${longDay(mail.date, w)}<br></div><div><b>${w.to}: </b>hanna@host.example<br></div><br><div>${mail.html}</div></blockquote></div></body></html>`,
  }),
  'Outlook as text': (mail, w) => ({
    subject: `${w.prefix}: ${mail.subject}`,
    type: TEXT,
    body: `\n\n________________________________\n${w.from}: ${mail.from.replace(/<(.*)>/, '<$1<mailto:$1>>')}\n${w.sent}: ${longDay(mail.date, w)}\n${w.to}: ${HOST}\n${w.subject}: ${mail.subject}\n\n${mail.text}\n`,
  }),
  'Outlook as HTML': (mail, w) => ({
    subject: `${w.prefix}: ${mail.subject}`,
    type: HTML,
    body: `<html><body><p class="MsoNormal">&nbsp;</p><div style="border-top:solid"><p class="MsoNormal"><b>${w.from}:</b> ${escaped(mail.from)}<br><b>${w.sent}:</b> ${longDay(mail.date, w)}<br><b>${w.to}:</b> ${escaped(HOST)}<br><b>${w.subject}:</b> ${escaped(mail.subject)}</p></div><p class="MsoNormal">&nbsp;</p>${mail.html}</body></html>`,
  }),
  'Thunderbird as text': (mail, w) => ({
    subject: `Fwd: ${mail.subject}`,
    type: TEXT,
    body: `-------- ${w.gmail} --------\n${w.subject}: \t${mail.subject}\n${w.date}: \t${mail.date.toUTCString()}\n${w.from}: \t${mail.from}\n${w.to}: \t${HOST}\n\n\n\n${mail.text}\n`,
  }),
  'Thunderbird as HTML': (mail, w) => ({
    subject: `Fwd: ${mail.subject}`,
    type: HTML,
    body: `<html><body><p><br></p><div class="moz-forward-container"><br>-------- ${w.gmail} --------<table class="moz-email-headers-table"><tbody>${[
      [w.subject, mail.subject],
      [w.date, mail.date.toUTCString()],
      [w.from, mail.from],
      [w.to, HOST],
    ]
      .map(([label, value]) => `<tr><th align="RIGHT">${label}: </th><td>${escaped(value!)}</td></tr>`)
      .join('')}</tbody></table><br><br>${mail.html}</div></body></html>`,
  }),
  'as an attached message': (mail, w) => ({
    subject: `${w.prefix}: ${mail.subject}`,
    ...withFiles({ type: TEXT, body: 'See the attached mail.' }, [mail.raw], 'message/rfc822'),
  }),
  'as an .eml file': (mail) => ({
    subject: 'A booking',
    ...withFiles({ type: TEXT, body: 'See the attached mail.' }, [mail.raw], 'application/octet-stream'),
  }),
};

/** Builds a message with attached mails. `kind` is the declared media type of the attachments. */
function withFiles(first: Omit<Built, 'subject'>, files: readonly string[], kind: string): Omit<Built, 'subject'> {
  const boundary = `b${files.join('').length}`;
  const parts = files.map((file) => {
    const head = `Content-Type: ${kind}; name="mail.eml"\nContent-Disposition: attachment; filename="mail.eml"`;
    const coded =
      Buffer.from(file, 'latin1')
        .toString('base64')
        .match(/.{1,76}/g) ?? [];
    return kind === 'message/rfc822'
      ? `${head}\n\n${file}`
      : `${head}\nContent-Transfer-Encoding: base64\n\n${coded.join('\n')}`;
  });
  const text = `Content-Type: ${first.type}\nContent-Transfer-Encoding: 8bit\n\n${Buffer.from(first.body).toString('latin1')}`;
  const body = [text, ...parts].map((part) => `--${boundary}\n${part}\n`).join('');
  return { type: `multipart/mixed; boundary="${boundary}"`, body: `${body}--${boundary}--\n` };
}

/** Returns the message that arrives when a host forwards the mail in the given form. */
export function buildForwardedMail(mail: OriginalMailToForward, form: string, words: Words): Uint8Array {
  const { subject, ...built } = FORWARDED_MAIL_BUILDERS[form]!(mail, words);
  const hands_on = mail.files.length > 0 && !built.type.startsWith('multipart');
  const { type, body } = hands_on ? withFiles(built, mail.files, 'message/rfc822') : built;
  const head = [
    `From: ${HOST}`,
    'To: k7f2m9@in.threshold.example',
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    `Message-ID: <${form.replaceAll(/[^a-z]/gi, '')}@host.example>`,
    `Date: ${new Date(mail.date.getTime() + DAYS_LATER * 86_400_000).toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: 8bit',
  ];
  // An attached message must keep its original bytes.
  const bytes = type.startsWith('multipart') ? Buffer.from(body, 'latin1') : Buffer.from(body);
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
}
