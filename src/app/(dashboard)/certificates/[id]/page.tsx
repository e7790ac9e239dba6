import { CertificateDetail } from '@/dashboard/certificates/certificate-detail';
import { page } from '../../../words';

const { generateMetadata, Page } = page('certificate', ['trail', 'certificates'], ({ id }: { id: string }) => (
  <CertificateDetail id={id} />
));

export { generateMetadata, Page as default };
