'use client';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { readError } from '../read-error';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { ErrorPanel } from '../ui/error-panel';
import { ConfirmDialog } from '../ui/overlay/confirm-dialog';
import { toast } from '../ui/overlay/toaster';
import { Skeleton } from '../ui/skeleton';
import { Refusal } from './form-parts';
import { type Property, useDeleteProperty, useDeletionPreview } from './queries';

const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** What deleting takes with it is said before anything is pressed. */
export function DeletePropertyCard({ property }: { property: Property }) {
  const router = useRouter();
  const entails = useDeletionPreview(property.id, true);
  const [asking, setAsking] = useState(false);
  const remove = useDeleteProperty(() => {
    toast.success(`${property.name} is deleted.`);
    router.replace(paths.properties);
  });
  const refused = remove.error ? readError(remove.error) : null;
  // Reservations can have become active since the page asked.
  const active = entails.data?.active_reservations ?? 0;
  const force = active > 0 || refused?.code === 'active_reservations';
  const close = () => {
    setAsking(false);
    remove.reset();
  };
  if (entails.error && !entails.data) {
    const { message, request_id } = readError(entails.error);
    return (
      <Card>
        <ErrorPanel
          title="What deleting entails could not be loaded"
          message={message}
          requestId={request_id}
          onRetry={() => void entails.refetch()}
        />
      </Card>
    );
  }
  return (
    <Card className="max-w-3xl">
      <CardHeader title="Delete the property" description="It cannot be undone." />
      <CardBody className="grid gap-4 text-sm leading-relaxed">
        {entails.data ? (
          <>
            <ul className="grid list-disc gap-1 pl-5" aria-label="What goes and what stays">
              <li>{count(entails.data.packets, 'packet')} with their history go.</li>
              <li>
                {count(entails.data.reservations, 'reservation')} go, and the links their guests hold stop working.
              </li>
              <li>{count(entails.data.calendars, 'calendar')} are no longer read.</li>
              <li>{count(entails.data.certificates, 'certificate')} stay: they are the proof of what was signed.</li>
            </ul>
            {entails.data.legal_hold ? (
              <Notice tone="danger" title="Under legal hold">
                A reservation or certificate of this property is under legal hold, so the property must stay. The owner
                can lift the hold on the certificate’s page.
              </Notice>
            ) : active > 0 ? (
              <Notice tone="warning" title={`${count(active, 'reservation is', 'reservations are')} active`}>
                Their guests were sent the packet, or will be, and their stay is not over. They can no longer sign.
              </Notice>
            ) : null}
          </>
        ) : (
          <div className="grid gap-2" aria-busy>
            <Skeleton className="h-4 w-64" />
            <Skeleton className="h-4 w-80" />
            <Skeleton className="h-4 w-56" />
            <Skeleton className="h-4 w-72" />
          </div>
        )}
        <div>
          <Button
            variant="danger"
            disabled={!entails.data}
            disabledReason={entails.data?.legal_hold ? 'Something of this property is under legal hold.' : null}
            onClick={() => setAsking(true)}
          >
            Delete the property
          </Button>
        </div>
      </CardBody>
      <ConfirmDialog
        open={asking}
        onOpenChange={close}
        danger
        title={`Delete ${property.name}?`}
        typed={property.name}
        confirmLabel={force ? 'Delete it with its active reservations' : 'Delete it'}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ id: property.id, force })}
      >
        {force
          ? 'Its packets, calendars and reservations go with it, the active ones too. Certificates stay.'
          : 'Its packets, calendars and reservations go with it. Certificates stay.'}
        <div className="mt-2">
          <Refusal refused={refused} />
        </div>
      </ConfirmDialog>
    </Card>
  );
}
