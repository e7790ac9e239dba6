import { CertificateList } from '@/dashboard/certificates/certificate-list';
import { titled, Words } from '../../words';

export const generateMetadata = titled('certificates');

export default function Page() {
  return (
    <Words of={['certificates']}>
      <CertificateList />
    </Words>
  );
}
