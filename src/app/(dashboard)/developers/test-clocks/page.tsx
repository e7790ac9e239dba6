import { ClocksPage } from '@/dashboard/developers/test-clocks/clocks-page';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('test_clocks');

export default function Page() {
  return (
    <Words of={['test_clocks']}>
      <ClocksPage />
    </Words>
  );
}
