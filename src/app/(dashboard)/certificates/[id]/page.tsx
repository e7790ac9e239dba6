import { CertificateDetail } from '@/dashboard/certificates/certificate-detail';
import { defineTranslatedPage } from '../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage(
  'certificate',
  ['trail', 'certificates'],
  ({ id }: { id: string }) => <CertificateDetail id={id} />,
);

export { generateMetadata, Page as default };
