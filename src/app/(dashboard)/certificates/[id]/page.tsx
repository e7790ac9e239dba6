import { CertificateDetail } from '@/dashboard/certificates/certificate-detail';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('certificate');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Words of={['trail', 'certificates']}>
      <CertificateDetail id={(await params).id} />
    </Words>
  );
}
