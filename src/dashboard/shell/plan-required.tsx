'use client';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Link } from '../ui/link';
import { useMe } from './me';
import { switchMode } from './preferences';

/** What the team's plan does not have, and how to go on. */
export function PlanRequired({ message }: { message: string }) {
  const { mode } = useMe();
  return (
    <Notice
      tone="info"
      title={message}
      actions={
        <>
          <Button asChild size="sm" variant="secondary">
            <Link href={paths.settings_section('plan')}>See your plan</Link>
          </Button>
          {mode === 'live' ? (
            <Button size="sm" variant="secondary" onClick={() => switchMode('test')}>
              Go on in test mode
            </Button>
          ) : null}
        </>
      }
    >
      Test mode has everything of Pro, and mails nobody.
    </Notice>
  );
}
