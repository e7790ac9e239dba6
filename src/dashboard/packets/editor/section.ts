import { ID_PREFIXES } from '@/shared/id-kinds';
import type { Draft, DraftErrors } from './draft';

/**
 * Changes part of the draft; told what it is at that moment, so that nothing typed meanwhile is
 * lost.
 */
export type Change = (part: Partial<Draft> | ((now: Draft) => Partial<Draft>)) => void;

/** What every part of the editor gets. */
export interface SectionProps {
  draft: Draft;
  change: Change;
  errors: DraftErrors;
  /** The packet is archived. */
  disabled: boolean;
}

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

export const rowId = (kind: 'rule' | 'fee'): string =>
  ID_PREFIXES[kind] + Array.from(crypto.getRandomValues(new Uint8Array(26)), (byte) => LETTERS[byte % 32]).join('');
