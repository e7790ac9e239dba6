import { CertificateList } from '@/dashboard/certificates/certificate-list';
import { titled } from '../../words';

export const generateMetadata = titled('certificates');

export default function Page() {
  return <CertificateList />;
}
