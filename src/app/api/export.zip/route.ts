/** Everything of a team as a ZIP. */
import { downloadExport } from '@/modules/export-and-deletion/http';

export const dynamic = 'force-dynamic';

export const GET = downloadExport;
