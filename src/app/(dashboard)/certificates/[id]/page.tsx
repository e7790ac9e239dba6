import type { Metadata } from 'next';
import { CertificateDetail } from '@/dashboard/certificates/certificate-detail';

export const metadata: Metadata = { title: 'Certificate' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <CertificateDetail id={(await params).id} />;
}
