import type { Metadata } from 'next';
import { EVENT_TYPES } from '@/events/catalogue';

export const metadata: Metadata = { title: 'Events' };

export default function EventsPage() {
  return (
    <>
      <section className="grid gap-3">
        <h1 className="font-semibold text-3xl tracking-tight">Events</h1>
        <p className="max-w-prose text-ink-soft">
          A webhook’s body has <code>id</code>, <code>object</code>, <code>type</code>, <code>created_at</code>,{' '}
          <code>livemode</code>, <code>sequence</code> (in commit order for a team and mode) and <code>data</code>,
          where <code>data.object</code> is the resource as the API shows it. It never holds withheld content.
        </p>
      </section>
      <dl className="grid gap-3">
        {Object.entries(EVENT_TYPES).map(([type, description]) => (
          <div key={type} id={type} className="grid gap-1 rounded-lg border border-line bg-surface p-4">
            <dt className="break-words font-medium font-mono">{type}</dt>
            <dd className="text-ink-soft">{description.replaceAll('`', '')}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
