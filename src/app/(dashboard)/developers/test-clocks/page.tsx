import type { Metadata } from 'next';
import { ClocksPage } from '@/dashboard/developers/test-clocks/clocks-page';

export const metadata: Metadata = { title: 'Test clocks' };

export default function Page() {
  return <ClocksPage />;
}
