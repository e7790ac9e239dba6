/**
 * Parses lines with a label and a colon, as in header blocks and forms. Asterisks around a label
 * are bold text and are ignored.
 */

/**
 * Returns the label and its value. Returns null without a colon in the first `longest` characters.
 */
export function splitLabelledLine(line: string, longest: number): { label: string; value: string } | null {
  const colon = line.slice(0, longest).search(/[:：]/);
  if (colon < 1) return null;
  const label = line.slice(0, colon).replaceAll('*', '').trim();
  // The bold text may include the colon: `**From:** Jane`.
  const value = line
    .slice(colon + 1)
    .trim()
    .replace(/^\*{1,2}/, '');
  return label === '' ? null : { label, value: value.trim() };
}
