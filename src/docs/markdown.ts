/**
 * Converts Markdown to HTML, with two extensions. A heading may set its own anchor (`## Title
 * {#anchor}`). Code blocks between `<!-- tabs -->` and `<!-- /tabs -->` become one block with a
 * choice of languages. The sources are our own, so their HTML is trusted.
 */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import { Marked, type Token, type Tokens } from 'marked';

const LANGUAGES = { bash, go, http, json, php, python, ruby, typescript, xml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** The name of each language and its highlighter, by the word after the fence of a code block. */
const NAMES: Record<string, { name: string; highlight?: string }> = {
  sh: { name: 'curl', highlight: 'bash' },
  ts: { name: 'TypeScript', highlight: 'typescript' },
  js: { name: 'JavaScript', highlight: 'typescript' },
  python: { name: 'Python', highlight: 'python' },
  php: { name: 'PHP', highlight: 'php' },
  ruby: { name: 'Ruby', highlight: 'ruby' },
  go: { name: 'Go', highlight: 'go' },
  html: { name: 'HTML', highlight: 'xml' },
  json: { name: 'JSON', highlight: 'json' },
  http: { name: 'HTTP', highlight: 'http' },
};

const ANCHOR = /\{#([\w.-]+)\}$/;
const withoutAnchor = (heading: string) => heading.trimEnd().replace(ANCHOR, '').trimEnd();

/** Splits the text into the parts inside and outside of tabs, in order. */
function partsOf(markdown: string): { tabs: boolean; text: string }[] {
  const [first = '', ...others] = markdown.split('<!-- tabs -->\n');
  return [
    { tabs: false, text: first },
    ...others.flatMap((other) => {
      const [blocks = '', ...after] = other.split('<!-- /tabs -->');
      return [
        { tabs: true, text: blocks },
        { tabs: false, text: after.join('') },
      ];
    }),
  ];
}

export interface MarkdownHeading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

/** A heading with the text below it, for the search index. */
export interface SearchPassage extends MarkdownHeading {
  readonly words: string;
}

export interface RenderedMarkdown {
  readonly html: string;
  readonly headings: readonly MarkdownHeading[];
  readonly passages: readonly SearchPassage[];
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * Returns the text without our extensions. `one_language` keeps only the first of several samples.
 */
export function removeDocsMarkdownExtensions(markdown: string, one_language = false): string {
  return partsOf(markdown)
    .map(({ tabs: in_tabs, text }) => (in_tabs && one_language ? text.slice(0, text.indexOf('\n```\n') + 5) : text))
    .join('')
    .split('\n')
    .filter((line) => !(line.startsWith('<!-- ') && line.endsWith(' -->')))
    .map((line) => (line.startsWith('#') ? withoutAnchor(line) : line))
    .join('\n');
}

export function renderMarkdown(markdown: string): RenderedMarkdown {
  const headings: MarkdownHeading[] = [];
  const passages: SearchPassage[] = [];
  const taken = new Set<string>();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        const named = ANCHOR.exec(inner.trimEnd())?.[1];
        const html = withoutAnchor(inner);
        const text = plainText(html);
        let id = named ?? slugOf(text);
        while (taken.has(id)) id += '-';
        taken.add(id);
        headings.push({ depth, id, text });
        const link = `<a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(text)}”">#</a>`;
        return `<h${depth} id="${id}">${html}${depth > 1 ? link : ''}</h${depth}>\n`;
      },
      code: (token) => codeBlock(token),
      table(token) {
        const rows = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((row) => rows(row, 'td')).join('\n');
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${rows(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = partsOf(markdown)
    .map(({ tabs: in_tabs, text }, index) =>
      in_tabs ? tabs(marked.lexer(text), index) : marked.parse(text, { async: false }),
    )
    .join('');
  const parts = html.split(/(?=<h[1-4] id=")/);
  for (const part of parts) {
    const id = /^<h[1-4] id="([^"]*)"/.exec(part)?.[1];
    const heading = headings.find((one) => one.id === id);
    if (heading) passages.push({ ...heading, words: plainText(wordsUnder(part)) });
  }
  return { html, headings, passages };
}

/** Returns the text of a section of the page, without its heading and code blocks. */
function wordsUnder(part: string): string {
  const [first = '', ...others] = part.slice(part.indexOf('</h') + '</h1>'.length).split('<pre');
  return [first, ...others.map((other) => other.slice(other.indexOf('</pre>') + '</pre>'.length))].join(' ');
}

/** Returns every fenced code block of a text, in order. The tests run the code. */
export function findCodeBlocks(markdown: string): { language: string; file: string | null; code: string }[] {
  const flat = new Marked({ gfm: true }).lexer(removeDocsMarkdownExtensions(markdown));
  return flat.flatMap((token) => {
    if (token.type !== 'code') return [];
    const [language = '', ...rest] = ((token as Tokens.Code).lang ?? '').split(' ');
    return [{ language, file: rest.find((word) => /\.\w+$/.test(word)) ?? null, code: (token as Tokens.Code).text }];
  });
}

function codeBlock({ lang, text }: Tokens.Code): string {
  const [language = '', ...rest] = (lang ?? '').split(' ');
  const known = NAMES[language];
  const file = rest.find((word) => /\.\w+$/.test(word));
  const title = file ?? (known && language !== 'sh' ? known.name : '');
  const code = known?.highlight ? hljs.highlight(text, { language: known.highlight }).value : escapeHtml(text);
  const bar = `<figcaption>${escapeHtml(title)}<button type="button" class="copy" hidden>Copy</button></figcaption>`;
  return `<figure class="code">${bar}<pre tabindex="0"><code>${code}\n</code></pre></figure>\n`;
}

/**
 * Renders code blocks as tabs. Radio buttons select a tab, so tabs work without a script and with
 * the keyboard.
 */
function tabs(tokens: readonly Token[], group: number): string {
  const blocks = tokens.filter((token): token is Tokens.Code => token.type === 'code');
  const choices = blocks.map(({ lang = '', text }, index) => {
    const language = lang.split(' ', 1)[0] ?? '';
    const name = language === 'sh' && !text.includes('curl ') ? 'Shell' : (NAMES[language]?.name ?? language);
    const id = `tab-${group}-${language}`;
    const input = `<input type="radio" name="tabs-${group}" id="${id}" value="${language}"${index === 0 ? ' checked' : ''}>`;
    return `${input}<label for="${id}">${name}</label>`;
  });
  const panels = blocks.map((block) => `<div class="panel">${codeBlock(block)}</div>`);
  return `<fieldset class="tabs"><legend>Language</legend>${choices.join('')}${panels.join('')}</fieldset>\n`;
}

function plainText(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}

const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\w.\s-]/g, '')
    .replace(/\.$/, '')
    .trim()
    .replace(/\s+/g, '-');
