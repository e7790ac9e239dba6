/**
 * Converts HTML mails to lines of text. Blocks and table rows end a line, and cells are separated
 * by a tab. Scripts, styles and comments are removed. Anyone can send mail, so the conversion takes
 * linear time: one pass without backtracking.
 */

// biome-ignore format: a word list reads better in lines.
const BREAKS = new Set([
  'address', 'article', 'aside', 'blockquote', 'br', 'dd', 'div', 'dl', 'dt', 'footer', 'form', 'h1', 'h2', 'h3', 'h4',
  'h5', 'h6', 'header', 'hr', 'li', 'main', 'ol', 'p', 'pre', 'section', 'table', 'tbody', 'thead', 'tr', 'ul',
]);
const CELLS = new Set(['td', 'th']);
const HIDDEN = new Set(['script', 'style', 'head', 'template', 'title', 'svg']);

// biome-ignore format: a table reads better in lines.
const ENTITIES: Record<string, string> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', hellip: '…', lsquo: '‘', rsquo: '’',
  ldquo: '“', rdquo: '”', zwnj: '', zwj: '', shy: '', copy: '©', middot: '·', bull: '•', euro: '€', agrave: 'à', aacute: 'á',
  acirc: 'â', atilde: 'ã', auml: 'ä', aring: 'å', aelig: 'æ', ccedil: 'ç', egrave: 'è', eacute: 'é', ecirc: 'ê', euml: 'ë',
  iacute: 'í', icirc: 'î', iuml: 'ï', ntilde: 'ñ', oacute: 'ó', ocirc: 'ô', otilde: 'õ', ouml: 'ö', oslash: 'ø',
  uacute: 'ú', ugrave: 'ù', ucirc: 'û', uuml: 'ü', szlig: 'ß', Agrave: 'À', Aacute: 'Á', Auml: 'Ä', Eacute: 'É', Egrave: 'È',
  Ouml: 'Ö', Oslash: 'Ø', Uuml: 'Ü', Ccedil: 'Ç', Ntilde: 'Ñ',
};

/** Returns the text and the URLs of its links. In the text, a link is replaced by its label. */
export function htmlToText(html: string): { text: string; links: string[] } {
  const out: string[] = [];
  const links: string[] = [];
  let at = 0;
  let close = -1;
  let hidden: string | null = null;
  const folded = html.toLowerCase();
  const endless = new Set<string>();
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) {
      if (!hidden) out.push(words(html.slice(at)));
      break;
    }
    if (!hidden && open > at) out.push(words(html.slice(at, open)));
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end === -1 ? html.length : end + 3;
      continue;
    }
    // Reuses the position of the last ">", so that the search takes linear time.
    if (close < open) close = html.indexOf('>', open);
    if (close === -1) {
      // An incomplete tag at the end is dropped. A "<" that begins no tag is text.
      if (!hidden && !/[a-z/!?]/i.test(html[open + 1] ?? '')) out.push(words(html.slice(open)));
      break;
    }
    const tag = /^<(\/?)([a-z][a-z0-9]*)/i.exec(html.slice(open, Math.min(open + 20, close)));
    at = close + 1;
    if (!tag) {
      // A "<" before a space is text ("3 < 5"). Other markup, such as "<!doctype …>", is dropped.
      if (!hidden && html[open + 1] === ' ') {
        out.push('<');
        at = open + 1;
      }
      continue;
    }
    const name = tag[2]!.toLowerCase();
    const ends = tag[1] === '/';
    if (hidden) {
      if (ends && name === hidden) hidden = null;
      continue;
    }
    if (!ends && HIDDEN.has(name) && html[close - 1] !== '/' && !endless.has(name)) {
      // If the end tag is missing, the element is not hidden, because the rest of the mail would be
      // hidden with it.
      if (folded.indexOf(`</${name}`, close) === -1) endless.add(name);
      else hidden = name;
      continue;
    }
    if (name === 'a' && !ends) {
      const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(html.slice(open, Math.min(close, open + 4_000)));
      const link = href?.[1] ?? href?.[2];
      if (link && links.length < 200) links.push(decodeEntities(link));
    }
    if (CELLS.has(name)) out.push('\t');
    else if (BREAKS.has(name)) out.push('\n');
  }
  return { text: normalizeWhitespace(out.join('')), links };
}

/**
 * Trims lines and collapses whitespace: wide gaps become a tab, because they separate columns, and
 * other runs become a space. Keeps at most one empty line in a row.
 */
export function normalizeWhitespace(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map((line) =>
    line
      .replace(/\u034f|[\u200b-\u200f\u2060\ufeff\u00ad]/g, '')
      .replace(/[^\S\t]+/g, (run) => (run.length >= COLUMN_GAP ? '\t' : ' '))
      .replace(/ ?\t[\t ]*/g, '\t')
      .replace(/^[\t ]|[\t ]$/g, ''),
  );
  const kept: string[] = [];
  for (const line of lines) if (line !== '' || (kept.length > 0 && kept.at(-1) !== '')) kept.push(line);
  return kept.join('\n').trimEnd();
}

/** The minimum number of spaces between columns. Fewer may only separate sentences. */
const COLUMN_GAP = 3;

const words = (text: string) => decodeEntities(text.replace(/[ \t\r\n\f]+/g, ' '));

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? ENTITIES[String(name).toLowerCase()] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const usable = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return usable ? String.fromCodePoint(code) : ' ';
  });
}
