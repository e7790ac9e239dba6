import { CertificateList } from '@/dashboard/certificates/certificate-list';
import { defineTranslatedPage } from '../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage('certificates', ['certificates'], () => <CertificateList />);

export { generateMetadata, Page as default };
