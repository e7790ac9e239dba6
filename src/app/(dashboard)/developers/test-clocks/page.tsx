import { ClocksPage } from '@/dashboard/developers/test-clocks/clocks-page';
import { titled } from '../../../words';

export const generateMetadata = titled('test_clocks');

export default function Page() {
  return <ClocksPage />;
}
