/**
 * `npm run lint`: checks for plain English in Markdown, English messages, the API reference and doc
 * comments (CONTRIBUTING.md, "Writing"). With file names, checks only these files. markdownlint
 * parses all of them as Markdown. Exits with 1 when it finds a problem.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { lint } from 'markdownlint/sync';
import { PROJECT_ROOT } from './lib/project.mjs';

const IGNORED = /(^|\/)(node_modules|generated|fixtures|dist|\.next)\/|^packages\/client\/src\/schema\.ts$/;

/** Words to avoid, and their replacements. */
const WORDS = [
  [/\bmend(s|ed|ing)?\b/gi, 'fix'],
  [/\bbeside\b/gi, 'next to'],
  [/\banew\b/gi, 'again'],
  [/\bas ever\b/gi, 'as before'],
  [/\bfrom the start on\b/gi, 'from the start'],
  [/\b(thereof|whereof|therein|wherein)\b/gi, 'of it'],
  [/\bso-and-so many\b/gi, 'the number'],
  [/\b(hear|hears|heard) of\b/gi, 'receive, learn'],
  [/\b(tell|tells|told|telling) of\b/gi, 'report, describe'],
  [/\b(bury|buries|buried)\b/gi, 'remove'],
  [/\bwho(so)?ever\b/gi, 'anyone who, callers, the reader'],
];

/** Returns paragraphs, table cells and headings, without code and quotations. */
function passages(tokens) {
  return tokens.flatMap((token) =>
    token.type === 'paragraph' || token.type === 'tableContent' || token.type === 'atxHeadingText'
      ? [{ line: token.startLine, type: token.type, text: plain(token.text) }]
      : passages(token.children),
  );
}
const plain = (text) => text.replace(/`[^`]*`/g, '`').replace(/“[^”]*”/g, '“”');

const rule = (name, description, check) => ({
  names: [name],
  description,
  tags: ['prose'],
  parser: 'micromark',
  function: ({ parsers }, onError) => {
    for (const { line, type, text } of passages(parsers.micromark.tokens))
      for (const detail of check(text, type)) onError({ lineNumber: line, detail });
  },
});

const RULES = [
  rule('words', 'A word that makes readers stumble', (text) =>
    WORDS.flatMap(([word, instead]) => (text.match(word) ?? []).map((found) => `${found}: write ${instead}`)),
  ),
  // A table cell may be a list with semicolons.
  rule('semicolon-chain', 'One idea in a sentence', (text, type) =>
    type === 'tableContent' ? [] : sentences(text).filter((sentence) => sentence.split('; ').length > 2),
  ),
  rule('afterthought', 'Write “Returns whether …” or “Null when …” as a sentence', (text, type) =>
    type === 'tableContent' ? [] : (text.match(/; (whether|null|false|true|undefined)\b[^;]*$/g) ?? []),
  ),
];
const sentences = (text) => text.replace(/\s+/g, ' ').split(/(?<=[.!?:])\s/);

/** Returns a source's doc comments on their original lines. All other lines are blank. */
function docComments(source) {
  const lines = source.split('\n').map(() => '');
  for (const { 0: comment, index } of source.matchAll(/^[ \t]*\/\*\*[\s\S]*?\*\//gm)) {
    const first = source.slice(0, index).split('\n').length - 1;
    for (const [at, line] of comment.split('\n').entries())
      lines[first + at] = line.replace(/\s*\*\/$/, '').replace(/^\s*(\/\*\*|\* ?)/, '');
  }
  return lines.join('\n');
}

/** Returns a function that turns each text of a JSON file into a list item on its own line. */
const texts = (names) => (json) =>
  json.replace(/[^\n]+/g, (line) => {
    const [, name, text] = /^\s*"([^"]+)": ("(?:[^"\\]|\\.)*"),?$/.exec(line) ?? [];
    return text && names.test(name) ? `- ${JSON.parse(text).replaceAll('\n', ' ')}` : '';
  });

const KINDS = [
  {
    // Tables and code are exempt, because they cannot be wrapped.
    config: { MD013: { line_length: 100, tables: false, code_blocks: false } },
    files: /\.md$/,
    read: (text) => text,
  },
  { config: {}, files: /(\/messages|src\/shared\/refusals)\/en(-GB)?\.json$/, read: texts(/./) },
  { config: {}, files: /(^|\/)docs\/openapi\.json$/, read: texts(/^(summary|description)$/) },
  // The limit is 97 columns, because the text has no indentation and no ` * `. Code is exempt.
  { config: { MD013: { line_length: 97, code_blocks: false } }, files: /\.(tsx?|mjs)$/, read: docComments },
];

process.chdir(PROJECT_ROOT);
const top = readdirSync('.').filter((name) => name.endsWith('.md'));
const below = ['docs', 'src', 'inngest', 'scripts', 'e2e', 'stress', 'packages', 'examples'].flatMap((folder) =>
  readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
);
const named = process.argv.slice(2);
const all = named.length > 0 ? named : [...top, ...below].filter((name) => !IGNORED.test(name)).sort();
let found = 0;
for (const { config, files, read } of KINDS) {
  const names = all.filter((name) => files.test(name));
  const results = lint({
    strings: Object.fromEntries(names.map((name) => [name, read(readFileSync(name, 'utf8'))])),
    config: { default: false, words: true, 'semicolon-chain': true, afterthought: true, ...config },
    customRules: RULES,
  });
  for (const [name, errors] of Object.entries(results)) {
    for (const { lineNumber, ruleDescription, errorDetail } of errors) {
      found += 1;
      console.error(`${name}:${lineNumber} ${ruleDescription}: ${errorDetail ?? ''}`);
    }
  }
}
if (found > 0) console.error(`${found} places are hard to read. See “Writing” in CONTRIBUTING.md.`);
process.exitCode = found > 0 ? 1 : 0;
