/**
 * Removes attachments from a raw message before it is stored, because hosts only read the text.
 * Keeps forwarded messages, but removes their attachments. Works on lines, so that everything
 * outside of attachments keeps its exact bytes. Only attached messages are decoded. Pure.
 */

const NOTE = '[The attachment was not kept.]';

/** Removes the bodies of attached parts. Takes linear time. */
export function stripAttachments(raw: Uint8Array): Uint8Array {
  // In latin1 each byte is one character, so converting to text and back keeps the exact bytes.
  const lines = Buffer.from(raw).toString('latin1').split('\n');
  const kept: string[] = [];
  const boundaries = new Set<string>();
  let headers: string[] | null = [];
  let dropping = false;
  let file: string[] | null = null;
  for (const line of lines) {
    const text = line.trimEnd();
    if (text.startsWith('--') && isBoundary(text, boundaries)) {
      if (file) kept.push(...withoutItsAttachments(file));
      file = null;
      dropping = false;
      headers = text.endsWith('--') && boundaries.has(text.slice(2, -2)) ? null : [];
      kept.push(line);
      continue;
    }
    if (dropping) continue;
    if (file) {
      file.push(text);
      continue;
    }
    kept.push(line);
    if (headers === null) continue;
    if (text !== '') {
      headers.push(text);
      continue;
    }
    const part = partOf(headers);
    if (part.boundary !== null) boundaries.add(part.boundary);
    // An attached message begins with headers of its own.
    headers = part.is_message && !part.base64 ? [] : null;
    if (boundaries.size > 0 && part.is_message && part.base64) file = [];
    if (boundaries.size > 0 && isAttachment(part)) {
      dropping = true;
      kept.push(`${NOTE}\r`);
    }
  }
  if (file) kept.push(...withoutItsAttachments(file));
  return new Uint8Array(Buffer.from(kept.join('\n'), 'latin1'));
}

/** Removes the attachments of a base64-encoded message and encodes it again. */
function withoutItsAttachments(file: readonly string[]): string[] {
  const message = stripAttachments(new Uint8Array(Buffer.from(file.join(''), 'base64')));
  const lines =
    Buffer.from(message)
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return lines.map((line) => `${line}\r`);
}

function isBoundary(text: string, boundaries: ReadonlySet<string>): boolean {
  return boundaries.has(text.slice(2)) || (text.endsWith('--') && boundaries.has(text.slice(2, -2)));
}

interface Part {
  /** The media type in lower case, without parameters. */
  readonly type: string;
  readonly boundary: string | null;
  readonly disposition: string;
  /**
   * Whether the part is a forwarded message. Mail programs declare different media types for
   * forwarded messages.
   */
  readonly is_message: boolean;
  readonly base64: boolean;
}

/** Parses a part's header lines. If a header is repeated, only the first one counts. */
function partOf(lines: readonly string[]): Part {
  const unfolded = lines
    .join('\n')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n');
  const header = (name: string) =>
    unfolded
      .find((line) => line.slice(0, name.length).toLowerCase() === name)
      ?.slice(name.length)
      .trimStart() ?? '';
  const content_type = header('content-type:');
  const disposition = header('content-disposition:');
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(content_type)?.[0].toLowerCase() ?? 'text/plain';
  const found = type.startsWith('multipart/')
    ? /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(content_type)
    : null;
  return {
    type,
    boundary: found?.[1] ?? found?.[2] ?? null,
    disposition: disposition.slice(0, 10).toLowerCase(),
    base64: /^base64\b/i.test(header('content-transfer-encoding:')),
    is_message: type.startsWith('message/') || /\.eml\b/i.test(`${content_type} ${disposition}`),
  };
}

function isAttachment({ type, disposition, is_message }: Part): boolean {
  if (type.startsWith('multipart/') || is_message) return false;
  return !type.startsWith('text/') || disposition === 'attachment';
}
