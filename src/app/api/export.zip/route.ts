/** Downloads all data of a team as a ZIP. */
import { limitDownloadHandlerRate } from '@/app/limited-download';
import { downloadTeamExport } from '@/modules/export-and-deletion/http';

export const dynamic = 'force-dynamic';

export const GET = limitDownloadHandlerRate(downloadTeamExport);
