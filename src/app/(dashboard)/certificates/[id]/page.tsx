import { CertificateDetail } from '@/dashboard/certificates/certificate-detail';
import { titled } from '../../../words';

export const generateMetadata = titled('certificate');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <CertificateDetail id={(await params).id} />;
}
