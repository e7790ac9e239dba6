import { TestClocksPage } from '@/dashboard/developers/test-clocks/clocks-page';
import { defineTranslatedPage } from '../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage('test_clocks', ['test_clocks'], () => <TestClocksPage />);

export { generateMetadata, Page as default };
