import type { Metadata } from 'next';
import { StylePage } from '@/dashboard/style/style-page';

export const metadata: Metadata = { title: 'Style' };

export default function Page() {
  return <StylePage />;
}
