import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { StylePage } from '@/dashboard/style/style-page';

export const metadata: Metadata = { title: 'Style' };

/** For those who build the dashboard, not for those who use it. */
export default function Page() {
  if (process.env.NODE_ENV === 'production') notFound();
  return <StylePage />;
}
