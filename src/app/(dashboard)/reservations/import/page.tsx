import type { Metadata } from 'next';
import { ImportPage } from '@/dashboard/reservations/import/import-page';

export const metadata: Metadata = { title: 'Import reservations' };

export default function Page() {
  return <ImportPage />;
}
