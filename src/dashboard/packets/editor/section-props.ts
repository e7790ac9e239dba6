import type { Draft, DraftErrors } from './draft';

/** What every part of the editor gets. */
export interface SectionProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  errors: DraftErrors;
  /** The packet is archived. */
  disabled: boolean;
}
