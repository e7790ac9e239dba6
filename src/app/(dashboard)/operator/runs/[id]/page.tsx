import type { Metadata } from 'next';
import { RunPage } from '@/dashboard/operator/run-page';

export const metadata: Metadata = { title: 'Run' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <RunPage id={(await params).id} />;
}
