/** Inputs for the export of a month as CSV. */
import { z } from 'zod';

export const MONTH_CSV_RECORD_KINDS = ['reservations', 'fees', 'certificates'] as const;

export const MonthCsvExportQuery = z.object({
  kind: z.enum(MONTH_CSV_RECORD_KINDS),
  /**
   * The month in the property's zone. For certificates it is the month of signing, otherwise the
   * month of check-in.
   */
  month: z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/),
  property: z.string().max(100).optional(),
});
export type MonthCsvExportQuery = z.infer<typeof MonthCsvExportQuery>;
