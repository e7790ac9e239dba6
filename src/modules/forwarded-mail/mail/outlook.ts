/**
 * Converts a mail in Outlook's `.msg` format to a message with headers and text. The file size is
 * limited, and the conversion runs in the parser thread, which limits time and memory. Pure.
 */
import MsgReaderModule from '@kenjiuno/msgreader';
import { toStorableText } from '@/shared/text/storable-text';
import { MAX_MAIL_PART_TEXT_LENGTH } from './limits';

type MsgReader = typeof import('@kenjiuno/msgreader').default;
// The package is a CommonJS module. Its default export differs between the bundler and Node.
const Reader = ((MsgReaderModule as unknown as { default?: MsgReader }).default ?? MsgReaderModule) as MsgReader;

/** The maximum file size. A mail without pictures has about a tenth of this size. */
const MAX_MSG_BYTES = 4 * 1024 * 1024;
const MAX_HEADERS = 32 * 1024;
/** The mail's own headers that are copied to the result. */
const KEPT_HEADERS = /^(?:from|to|subject|date|message-id|content-language):/i;

/** Converts a `.msg` file to an RFC 5322 message. Returns null when the file cannot be read. */
export function convertOutlookMailToRfc5322(file: Uint8Array): Uint8Array | null {
  if (file.byteLength > MAX_MSG_BYTES) return null;
  try {
    const copy = new Uint8Array(file);
    const found = new Reader(copy.buffer).getFileData();
    if (found.error) return null;
    const html =
      found.bodyHtml ?? (found.html ? new TextDecoder().decode(found.html.subarray(0, MAX_MAIL_PART_TEXT_LENGTH)) : '');
    const body = (found.body || html).slice(0, MAX_MAIL_PART_TEXT_LENGTH);
    const address = found.senderSmtpAddress ?? found.senderEmail ?? '';
    const own = headersIn(found.headers ?? '');
    const written = (name: string) => own.some((header) => header.toLowerCase().startsWith(`${name}:`));
    const date = Date.parse(found.clientSubmitTime ?? found.messageDeliveryTime ?? '');
    const headers = [
      ...own,
      ...(written('from') || !address.includes('@')
        ? []
        : [`From: ${oneLine(found.senderName)} <${oneLine(address)}>`]),
      ...(written('subject') ? [] : [`Subject: =?utf-8?B?${base64(oneLine(found.subject).slice(0, 500))}?=`]),
      ...(written('date') || Number.isNaN(date) ? [] : [`Date: ${new Date(date).toUTCString()}`]),
      'MIME-Version: 1.0',
      `Content-Type: text/${found.body ? 'plain' : 'html'}; charset=utf-8`,
      'Content-Transfer-Encoding: base64',
    ];
    if (body.trim() === '') return null;
    const lines = base64(toStorableText(body)).match(/.{1,76}/g) ?? [];
    return new TextEncoder().encode(`${headers.join('\r\n')}\r\n\r\n${lines.join('\r\n')}\r\n`);
  } catch {
    return null;
  }
}

/** Returns the header lines to copy, with their continuation lines. */
function headersIn(text: string): string[] {
  const headers: string[] = [];
  for (const line of text.slice(0, MAX_HEADERS).split(/\r?\n/)) {
    if (/^[ \t]/.test(line) && headers.length > 0) headers.push(`${headers.pop()}\r\n${line}`);
    else headers.push(line);
  }
  return headers.filter((header) => KEPT_HEADERS.test(header));
}

const oneLine = (text: string | undefined) =>
  toStorableText(text ?? '')
    .replace(/[\r\n<>"]+/g, ' ')
    .trim();
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
