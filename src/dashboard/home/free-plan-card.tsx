'use client';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { Link } from '../ui/link';

/** What a team on Free has, so that nobody finds it out by being refused. */
export function FreePlanCard() {
  return (
    <Notice tone="info" title="You are on Free: one live property, and all of test mode">
      Everything here works for it. More properties, and the REST API for your own software, come with Pro.{' '}
      <Link href={paths.settings_section('plan')} className="underline underline-offset-4">
        See your plan
      </Link>
    </Notice>
  );
}
