import type { Draft, DraftErrors } from './draft';

/** Changes part of the draft; told what it is at that moment, so that nothing typed meanwhile is lost. */
export type Change = (part: Partial<Draft> | ((now: Draft) => Partial<Draft>)) => void;

/** What every part of the editor gets. */
export interface SectionProps {
  draft: Draft;
  change: Change;
  errors: DraftErrors;
  /** The packet is archived. */
  disabled: boolean;
}
