import { CertificateList } from '@/dashboard/certificates/certificate-list';
import { page } from '../../words';

const { generateMetadata, Page } = page('certificates', ['certificates'], () => <CertificateList />);

export { generateMetadata, Page as default };
