/**
 * Finds every regular expression in a source file's syntax tree: literals, and arguments of RegExp.
 */
import ts from 'typescript';

export interface FoundRegularExpression {
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

export interface RegularExpressionsOfFile {
  readonly patterns: readonly FoundRegularExpression[];
  /**
   * Lines that build a regular expression from more than the literals and constants of the file, so
   * that the pattern cannot be determined without running the code.
   */
  readonly assembled: readonly number[];
}

/**
 * Analyses a file's text. Template strings that contain only constants of the same file are
 * resolved.
 */
export function findRegularExpressions(file_name: string, text: string): RegularExpressionsOfFile {
  const kind = file_name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file_name, text, ts.ScriptTarget.Latest, true, kind);
  const constants = new Map<string, ts.Expression>();
  const patterns: FoundRegularExpression[] = [];
  const assembled: number[] = [];
  const visit = (node: ts.Node): void => {
    const line = () => tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      constants.set(node.name.text, node.initializer);
    }
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      patterns.push({ line: line(), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      const [source, flags] = (node.arguments ?? []).map((argument) => textOf(argument, constants));
      if (source === null || source === undefined || flags === null) assembled.push(line());
      else patterns.push({ line: line(), source, flags: flags ?? '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { patterns, assembled };
}

/** Returns the constant value of an expression, or null when it is unknown. */
function textOf(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw') {
    return ts.isNoSubstitutionTemplateLiteral(node.template) ? (node.template.rawText ?? null) : null;
  }
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text);
    return constant ? textOf(constant, constants) : null;
  }
  if (!ts.isTemplateExpression(node)) return null;
  let text = node.head.text;
  for (const { expression, literal } of node.templateSpans) {
    const part = textOf(expression, constants);
    if (part === null) return null;
    text += part + literal.text;
  }
  return text;
}

const CLASS = /\[(?:[^\]\\]|\\.)*\]/gs;
const QUANTIFIER = /(?<!\\)(?:[*+]|\{(\d+)(?:(,)(\d*))?\}|(?<!\()\?)/g;

/**
 * Returns whether a pattern is too small to be slow: no unbounded repetition, no repeated group,
 * and bounded repetitions with few combinations.
 */
export function hasOnlyBoundedRepetition(source: string): boolean {
  let ways = 1;
  const plain = source.replace(/\\\\/g, '\\a').replace(CLASS, '.');
  for (const { 0: text, 1: least, 2: comma, 3: most, index } of plain.matchAll(QUANTIFIER)) {
    if (text === '?') {
      ways *= 2;
      continue;
    }
    if (text === '*' || text === '+' || most === '' || plain[index - 1] === ')') return false;
    if (comma) ways *= Number(most) - Number(least) + 1;
  }
  return ways <= 50_000;
}
