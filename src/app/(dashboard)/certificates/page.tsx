import { CertificateList } from '@/dashboard/certificates/certificate-list';
import { definePage } from '../../server-translations';

const { generateMetadata, Page } = definePage('certificates', ['certificates'], () => <CertificateList />);

export { generateMetadata, Page as default };
