import { redirect } from 'next/navigation';
import { paths } from '@/dashboard/paths';

export default function Page() {
  redirect(paths.api_keys);
}
