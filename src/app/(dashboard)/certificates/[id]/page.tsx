import { CertificateDetail } from '@/dashboard/certificates/certificate-detail';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('certificate', ['trail', 'certificates'], ({ id }: { id: string }) => (
  <CertificateDetail id={id} />
));

export { generateMetadata, Page as default };
