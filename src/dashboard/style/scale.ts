/** The one scale of type and of spacing: what the style page shows, and what scale.test.ts holds every component to. */

/** Names, with their size in pixels and what they are for. */
export const TYPE_SCALE = [
  { name: 'text-xs', px: 12, use: 'Labels, hints, codes' },
  { name: 'text-sm', px: 14, use: 'Text, tables, forms' },
  { name: 'text-base', px: 16, use: 'Titles of cards' },
  { name: 'text-lg', px: 18, use: 'Titles of dialogs' },
  { name: 'text-2xl', px: 24, use: 'Titles of pages' },
  { name: 'text-3xl', px: 30, use: 'Figures' },
] as const;

/** Steps of four pixels, with their halves up to four; what is larger is a page's own frame. */
export const SPACING_SCALE = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 9, 12, 16] as const;
