/** Everything of a team as a ZIP. */
import { downloadExport } from '@/modules/team-data/http';

export const dynamic = 'force-dynamic';

export const GET = downloadExport;
