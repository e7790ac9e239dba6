import type { Metadata } from 'next';
import { HomePage } from '@/dashboard/home/home';

export const metadata: Metadata = { title: 'Home' };

export default function Page() {
  return <HomePage />;
}
