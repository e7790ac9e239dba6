import type { Metadata } from 'next';
import { CertificateList } from '@/dashboard/certificates/certificate-list';

export const metadata: Metadata = { title: 'Certificates' };

export default function Page() {
  return <CertificateList />;
}
