/** Downloads a month of reservations, fees or certificates as a file. */
import { limitDownloadHandlerRate } from '@/app/limited-download';
import { downloadMonthCsv } from '@/modules/export-and-deletion/month-csv/http';

export const dynamic = 'force-dynamic';

export const GET = limitDownloadHandlerRate(downloadMonthCsv);
