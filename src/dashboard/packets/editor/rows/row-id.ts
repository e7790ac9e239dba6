/** The id of a rule or a fee that was just added, as the browser makes it: `rule_` and 26 letters and digits. */
import { ID_PREFIXES } from '@/shared/id-kinds';

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

export const rowId = (kind: 'rule' | 'fee'): string =>
  ID_PREFIXES[kind] + Array.from(crypto.getRandomValues(new Uint8Array(26)), (byte) => LETTERS[byte % 32]).join('');
