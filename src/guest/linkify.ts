/**
 * Finds plain http and https URLs in a host's text, so that they can be rendered as links. Pure.
 */

import { trimCharactersFromEnd } from '@/shared/text/trim-characters';

export type TextOrLinkPart = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string };

/** Splits a text into plain parts and links. The joined parts equal the original text. */
export function splitTextAtLinks(text: string): TextOrLinkPart[] {
  const parts: TextOrLinkPart[] = [];
  let end = 0;
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s<>"']+/gi)) {
    const url = withoutTrailingPunctuation(match[0]);
    if (!isWebUrl(url)) continue;
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    parts.push({ kind: 'link', text: url, href: new URL(url).href });
    end = match.index + url.length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

/**
 * Removes trailing characters that do not belong to the URL: punctuation of the sentence, and
 * closing brackets without an opening bracket.
 */
function withoutTrailingPunctuation(url: string): string {
  const closing = `${url.includes('(') ? '' : ')'}${url.includes('[') ? '' : ']'}`;
  return trimCharactersFromEnd(url, `.,;:!?…»”’${closing}`);
}

function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  // A URL with credentials can be deceptive, as in https://bank.example@evil.example.
  return (
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.hostname !== '' &&
    url.username === '' &&
    url.password === ''
  );
}
