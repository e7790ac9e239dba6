/** A line that begins with a label and a colon, as header blocks and forms have them; asterisks are text-mail's bold. */

/** The label and what follows its colon; null when the line has no colon within the first `longest` characters. */
export function splitLabel(line: string, longest: number): { label: string; value: string } | null {
  const colon = line.slice(0, longest).search(/[:：]/);
  if (colon < 1) return null;
  const label = line.slice(0, colon).replaceAll('*', '').trim();
  // Bold may end behind the colon: `**From:** Jane`.
  const value = line
    .slice(colon + 1)
    .trim()
    .replace(/^\*{1,2}/, '');
  return label === '' ? null : { label, value: value.trim() };
}
