import { TestClocksPage } from '@/dashboard/developers/test-clocks/clocks-page';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('test_clocks', ['test_clocks'], () => <TestClocksPage />);

export { generateMetadata, Page as default };
