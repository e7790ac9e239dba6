/**
 * Converts a mail in Outlook's format (`.msg`) to a message with headers and text. The size of the
 * file is limited, and the conversion runs only in the parser's thread, whose time and memory are
 * limited. Pure.
 */
import MsgReaderModule from '@kenjiuno/msgreader';
import { toStorableText } from '@/shared/text/storable-text';
import { MAX_TEXT } from './limits';

type MsgReader = typeof import('@kenjiuno/msgreader').default;
// It is a CommonJS module, and the bundler and Node disagree about its default export.
const Reader = ((MsgReaderModule as unknown as { default?: MsgReader }).default ?? MsgReaderModule) as MsgReader;

/** A mail without pictures has a tenth of this size. */
const MAX_MSG_BYTES = 4 * 1024 * 1024;
const MAX_HEADERS = 32 * 1024;
/** The mail's own headers that are kept. */
const KEPT_HEADERS = /^(?:from|to|subject|date|message-id|content-language):/i;

/** Returns the bytes of an RFC 5322 message, or null when the file cannot be read. */
export function convertOutlookMessage(file: Uint8Array): Uint8Array | null {
  if (file.byteLength > MAX_MSG_BYTES) return null;
  try {
    const copy = new Uint8Array(file);
    const found = new Reader(copy.buffer).getFileData();
    if (found.error) return null;
    const html = found.bodyHtml ?? (found.html ? new TextDecoder().decode(found.html.subarray(0, MAX_TEXT)) : '');
    const body = (found.body || html).slice(0, MAX_TEXT);
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

/** Returns the headers with their continuation lines. */
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
