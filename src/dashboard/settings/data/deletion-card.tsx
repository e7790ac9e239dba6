'use client';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Notice } from '../../developers/notice';
import { paths } from '../../paths';
import { readError } from '../../read-error';
import { type Outputs, useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { ErrorPanel } from '../../ui/error-panel';
import { Link } from '../../ui/link';
import { Skeleton } from '../../ui/skeleton';

// Each is loaded when somebody asks for it.
const DeletionDialog = dynamic(() => import('./deletion-dialog').then((file) => file.DeletionDialog), { ssr: false });

type Preview = Outputs['team_data']['deletion_preview'];

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What a deletion entails and what stands in its way, before it is begun. */
export function DeletionCard() {
  const trpc = useTRPC();
  const preview = useQuery(trpc.team_data.deletion_preview.queryOptions(undefined, { staleTime: 0 }));
  const [open, setOpen] = useState(false);
  if (preview.error && !preview.data) {
    const { message, request_id } = readError(preview.error);
    return (
      <Card>
        <ErrorPanel
          title="What a deletion would remove could not be counted"
          message={message}
          requestId={request_id}
          onRetry={() => void preview.refetch()}
        />
      </Card>
    );
  }
  const held = preview.data?.held ?? 0;
  return (
    <Card>
      <CardHeader title="Delete the account" description="At once and for good. There is no way back." />
      <CardBody className="grid gap-4 text-sm leading-relaxed">
        {held > 0 ? (
          <Notice
            tone="warning"
            title={`${held === 1 ? 'One certificate is' : `${held} certificates are`} under legal hold`}
            actions={
              <Button asChild variant="secondary" size="sm">
                <Link href={paths.certificates}>Certificates</Link>
              </Button>
            }
          >
            What is held may not be deleted, so the account cannot be either. Lift every hold first, in both modes.
          </Notice>
        ) : null}
        {preview.data ? <Consequences preview={preview.data} /> : <Skeleton className="h-28" />}
        <Button
          variant="danger"
          className="w-fit"
          disabledReason={held > 0 ? 'Something is under legal hold.' : null}
          disabled={!preview.data}
          onClick={() => setOpen(true)}
        >
          <Trash2 aria-hidden />
          Delete the account
        </Button>
      </CardBody>
      {open ? <DeletionDialog onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function Consequences({ preview: { properties, reservations, certificates } }: { preview: Preview }) {
  return (
    <ul className="grid list-disc gap-1 pl-5">
      <li>
        {counted(properties, 'property', 'properties')}, {counted(reservations, 'reservation', 'reservations')} and{' '}
        {counted(certificates, 'certificate', 'certificates')} are removed, with everything else of both modes.
      </li>
      <li>API keys, webhooks and calendars stop at once. So do the links your guests were sent.</li>
      <li>
        Certificates can no longer be verified on our page. A PDF that somebody keeps can still be verified without us.
      </li>
      <li>Members lose access. Those who are in no other team lose their account.</li>
      <li>Nothing is kept for later: export first what you may need.</li>
    </ul>
  );
}
