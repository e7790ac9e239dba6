import { ClocksPage } from '@/dashboard/developers/test-clocks/clocks-page';
import { page } from '../../../words';

const { generateMetadata, Page } = page('test_clocks', ['test_clocks'], () => <ClocksPage />);

export { generateMetadata, Page as default };
