import { ClocksPage } from '@/dashboard/developers/test-clocks/clocks-page';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('test_clocks', ['test_clocks'], () => <ClocksPage />);

export { generateMetadata, Page as default };
