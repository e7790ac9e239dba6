/** A member's own views of the list of reservations. */
import { z } from 'zod';
import { jsonColumn } from '@/shared/json-column';

export const SavedView = z.object({
  id: z.string(),
  name: z.string(),
  /** Filters and order as they stand in the list's address. */
  query: z.string(),
});
export type SavedView = z.infer<typeof SavedView>;

/** What a member has in each mode: the ids of properties differ. */
const KeptView = SavedView.extend({ mode: z.enum(['live', 'test']) });
export type KeptView = z.infer<typeof KeptView>;
export const memberSavedViews = jsonColumn<KeptView[]>('Member.saved_views', z.array(KeptView));

/** A page of a list is no view of it; and what was searched for may be a guest, who is to be forgotten everywhere. */
const NOT_KEPT = ['q', 'after', 'before', 'new'];

export const SavedViewName = z.strictObject({
  name: z.string().trim().min(1, 'must not be empty').max(60, 'must have at most 60 characters'),
  query: z
    .string()
    .max(1000)
    .transform((query) => {
      const kept = new URLSearchParams(query);
      for (const name of NOT_KEPT) kept.delete(name);
      return kept.toString();
    }),
});
export type SavedViewName = z.infer<typeof SavedViewName>;
