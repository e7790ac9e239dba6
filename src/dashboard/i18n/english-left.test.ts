/**
 * Translated pages contain no English text: not in elements, not in accessible names or titles, and
 * not in sentences in code.
 */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** Pages that are only in English, because only the operator of the installation reads them. */
const ENGLISH = ['operator'] as const;

/** Names that are the same in every language. */
const NAMES = [
  'https://portal.example',
  'openapi.json',
  'Threshold',
  'Ctrl K',
  'UTC ·',
  'UTC',
  'POST /v1/reservations',
  'POST /v1/properties',
  'GET /v1/sms_messages',
  'Deprecation: true',
  'Samsung Internet',
  'English (UK)',
  'Português (Brasil)',
  // Example values in forms.
  'Harbour Loft',
  'res_…',
  '/send',
  'Rua da Praia 12',
  'Cascais',
  'harbour-loft',
  'evt_…',
  'rules.example.com',
  'https://example.com/logo.png',
  'https://…/calendar.ics',
  'https://example.com/webhooks/threshold',
];

/** Attributes that are visible to users or read by screen readers. */
const SAID =
  /^(aria-label|aria-description|title|placeholder|alt|label|description|hint|message|any|confirmLabel|summary|heading|noun|text|missing|action|submitLabel)$/;
const LETTERS = /\p{L}{2}/u;
/**
 * Matches a sentence: a capital letter, small letters and another word. Class names and keys do not
 * match.
 */
const SENTENCE = /^[“"]?\p{Lu}[\p{Ll}’]+[,:]? \S/u;

const files = readdirSync('src/dashboard', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
);
const listed = (file: string) => ENGLISH.find((place) => file === place || file.startsWith(`${place}/`));

/** Returns the texts in a file that do not come from the message files. */
function englishIn(name: string, source: string): string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const take = (text: string) => {
    const words = text.replace(/\s+/g, ' ').trim();
    if (LETTERS.test(words) && !NAMES.includes(words)) found.push(words);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    // Error messages are for developers and need no translation.
    if (ts.isNewExpression(node) && node.expression.getText().endsWith('Error')) return;
    if (ts.isJsxText(node)) take(node.text);
    else if (ts.isStringLiteralLike(node)) {
      const within = ts.findAncestor(
        node.parent,
        (one) => !ts.isArrayLiteralExpression(one) && !ts.isJsxExpression(one),
      );
      const said = within !== undefined && ts.isJsxAttribute(within) && SAID.test(within.name.getText());
      if (said || SENTENCE.test(node.text)) take(node.text);
    } else if (ts.isTemplateExpression(node)) {
      const text = [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text);
      if (SENTENCE.test(node.head.text)) take(text.join('…'));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const englishOf = (file: string) => englishIn(file, readFileSync(`src/dashboard/${file}`, 'utf8'));

describe('the search for English', () => {
  it.each([
    ['const a = <p>Send it</p>', ['Send it']],
    ['const a = <p>{t("send")}</p>', []],
    ['const a = <Button aria-label="Send" className="flex gap-2" />', ['Send']],
    ['const a = <List noun={["mail", "mails"]} className={["flex"]} />', ['mail', 'mails']],
    ['toast.success("The packet is sent.")', ['The packet is sent.']],
    [['const a = `Send it to $', '{name}?`'].join(''), ['Send it to …?']],
    ['const a = cond ? "No address yet" : t("x")', ['No address yet']],
    ['throw new Error("Only inside the shell.")', []],
    ['import a from "Some Thing"; const b = "flex items-center"', []],
  ])('finds the untranslated texts in %s', (source, found) => {
    expect(englishIn('probe.tsx', source)).toEqual(found);
  });
});

it.each(files.filter((file) => !listed(file)))('%s contains no text outside the message files', (file) => {
  expect(englishOf(file)).toEqual([]);
});
