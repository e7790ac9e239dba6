/**
 * A raw message without its attachments, for keeping: what a host reads again is text. Forwarded messages stay, since
 * they are what was forwarded. Works on lines and never decodes, so that nothing else changes. Pure.
 */

const NOTE = '[The attachment was not kept.]';

/** Cuts the bodies of attached parts out. Takes time linear in the size. */
export function stripAttachments(raw: Uint8Array): Uint8Array {
  // One byte, one character: every other byte comes out as it went in.
  const lines = Buffer.from(raw).toString('latin1').split('\n');
  const kept: string[] = [];
  const boundaries = new Set<string>();
  let headers: string[] | null = [];
  let dropping = false;
  for (const line of lines) {
    const text = line.trimEnd();
    if (text.startsWith('--') && isBoundary(text, boundaries)) {
      dropping = false;
      headers = text.endsWith('--') && boundaries.has(text.slice(2, -2)) ? null : [];
      kept.push(line);
      continue;
    }
    if (dropping) continue;
    kept.push(line);
    if (headers === null) continue;
    if (text !== '') {
      headers.push(text);
      continue;
    }
    const unfolded = headers.join('\n').replace(/\n[ \t]+/g, ' ');
    const boundary = boundaryOf(unfolded);
    if (boundary !== null) boundaries.add(boundary);
    // An attached message begins with headers of its own.
    headers = /^content-type:\s*message\/rfc822/im.test(unfolded) ? [] : null;
    if (boundaries.size > 0 && isAttachment(unfolded)) {
      dropping = true;
      kept.push(`${NOTE}\r`);
    }
  }
  return new Uint8Array(Buffer.from(kept.join('\n'), 'latin1'));
}

function isBoundary(text: string, boundaries: ReadonlySet<string>): boolean {
  return boundaries.has(text.slice(2)) || (text.endsWith('--') && boundaries.has(text.slice(2, -2)));
}

function boundaryOf(headers: string): string | null {
  const type = /^content-type:\s*multipart\/[^\n]*/im.exec(headers)?.[0];
  const found = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(type ?? '');
  return found ? (found[1] ?? found[2] ?? null) : null;
}

function isAttachment(headers: string): boolean {
  const type = /^content-type:\s*([\w.+-]+\/[\w.+-]+)/im.exec(headers)?.[1]?.toLowerCase() ?? 'text/plain';
  if (type.startsWith('multipart/') || type.startsWith('message/')) return false;
  return !type.startsWith('text/') || /^content-disposition:\s*attachment/im.test(headers);
}
