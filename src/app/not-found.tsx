import type { Metadata } from 'next';
import { PageNotFound } from '@/dashboard/shell/page-not-found';

export const metadata: Metadata = { title: 'Not found' };

export default PageNotFound;
