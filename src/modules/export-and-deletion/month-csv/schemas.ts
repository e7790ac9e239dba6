/** A month of a team's data as a spreadsheet. */
import { z } from 'zod';

export const MONTH_KINDS = ['reservations', 'fees', 'certificates'] as const;

export const MonthQuery = z.object({
  kind: z.enum(MONTH_KINDS),
  /** The month of check-in, or of signing for certificates, in the property's zone. */
  month: z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/),
  property: z.string().max(100).optional(),
});
export type MonthQuery = z.infer<typeof MonthQuery>;
