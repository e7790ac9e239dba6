import { notFound } from 'next/navigation';
import { StylePage } from '@/dashboard/style/style-page';
import { titled } from '../../words';

export const generateMetadata = titled('style');

/** For those who build the dashboard, not for those who use it. */
export default function Page() {
  if (process.env.NODE_ENV === 'production') notFound();
  return <StylePage />;
}
