/** A member's saved views of the list of reservations. */
import { z } from 'zod';
import { defineJsonColumn } from '@/shared/json-column';

export const SavedView = z.object({
  id: z.string(),
  name: z.string(),
  /** Filters and sort order, in the form of the list's URL query. */
  query: z.string(),
});
export type SavedView = z.infer<typeof SavedView>;

/** A view belongs to one mode, because properties have different ids in live and test mode. */
const StoredView = SavedView.extend({ mode: z.enum(['live', 'test']) });
export type StoredSavedView = z.infer<typeof StoredView>;
export const memberSavedViewsJsonColumn = defineJsonColumn<StoredSavedView[]>(
  'Member.saved_views',
  z.array(StoredView),
);

/** Parameters that are not saved: the list's page, and the search text, which may name a guest. */
const OMITTED_PARAMETERS = ['q', 'after', 'before', 'new'];

export const SaveViewInput = z.strictObject({
  name: z.string().trim().min(1, 'must not be empty').max(60, 'must have at most 60 characters'),
  query: z
    .string()
    .max(1000)
    .transform((query) => {
      const kept = new URLSearchParams(query);
      for (const name of OMITTED_PARAMETERS) kept.delete(name);
      return kept.toString();
    }),
});
export type SaveViewInput = z.infer<typeof SaveViewInput>;
