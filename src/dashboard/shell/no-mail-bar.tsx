import { MailX } from 'lucide-react';
import { paths } from '../paths';
import { Link } from '../ui/link';

/** On every page in live mode while there is no mail provider: nobody may believe that guests were written to. */
export const NoMailBar = () => (
  <aside
    aria-label="Mail is not set up"
    className="flex gap-3 border-b bg-warning-tint px-4 py-2.5 text-sm text-warning leading-normal sm:px-8"
  >
    <MailX className="mt-0.5 size-4 shrink-0" aria-hidden />
    <p>
      Mail is not set up: guests receive nothing. Pass on their links yourself.{' '}
      <Link href={paths.outbox} className="underline underline-offset-4">
        See what is kept
      </Link>
    </p>
  </aside>
);
