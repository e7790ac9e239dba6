import { ID_PREFIXES } from '@/shared/id-kinds';
import type { PacketDraft, PacketDraftErrors } from './draft';

/**
 * Changes part of the draft. A function receives the current draft, so that concurrent typing is
 * not lost.
 */
export type PacketDraftChangeHandler = (
  part: Partial<PacketDraft> | ((now: PacketDraft) => Partial<PacketDraft>),
) => void;

/** The props of every section of the editor. */
export interface EditorSectionProps {
  draft: PacketDraft;
  change: PacketDraftChangeHandler;
  errors: PacketDraftErrors;
  /** Whether the fields are read-only. */
  disabled: boolean;
}

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

export const createRuleOrFeeId = (kind: 'rule' | 'fee'): string =>
  ID_PREFIXES[kind] + Array.from(crypto.getRandomValues(new Uint8Array(26)), (byte) => LETTERS[byte % 32]).join('');
