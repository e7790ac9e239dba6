import type { Metadata } from 'next';
import { LinkNotFound } from '@/dashboard/shell/link-not-found';

export const metadata: Metadata = { title: 'Not found' };

export default LinkNotFound;
