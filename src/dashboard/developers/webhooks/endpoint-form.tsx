'use client';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { readError } from '../../read-error';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input, Textarea } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { Checkbox } from '../checkbox';
import { ShownOnce } from '../shown-once';
import { EventPicker } from './event-picker';
import { headerProblem, readHeaders } from './headers-text';
import { type Endpoint, useCreateEndpoint, useUpdateEndpoint } from './queries';

/** A new endpoint; its signing secret is shown once it exists. */
export function CreateEndpointDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateEndpoint();
  if (create.data) {
    return (
      <ShownOnce
        title="The endpoint is ready"
        label="signing secret"
        secret={create.data.signing_secret}
        onClose={onClose}
      >
        <p>
          Check the <code className="font-mono text-xs">Service-Signature</code> header of every delivery with it, over
          the raw body, before you trust what it says. Then send yourself a test event from the endpoint’s page.
        </p>
      </ShownOnce>
    );
  }
  return (
    <EndpointForm
      title="Create a webhook endpoint"
      description="We post every event you choose to this address, signed, and try again for days when it does not answer."
      submitLabel="Create the endpoint"
      initial={{ url: '', events: ['*'], description: null, header_names: [] }}
      pending={create.isPending}
      error={create.error}
      onSubmit={(values) => create.mutate(values)}
      onClose={onClose}
    />
  );
}

export function EditEndpointDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const update = useUpdateEndpoint({
    inForm: true,
    onDone: () => {
      toast.success('The endpoint is saved.');
      onClose();
    },
  });
  return (
    <EndpointForm
      title="Edit the endpoint"
      description="What waits to be delivered goes to the new address."
      submitLabel="Save"
      initial={endpoint}
      pending={update.isPending}
      error={update.error}
      onSubmit={(values) => update.mutate({ id: endpoint.id, ...values })}
      onClose={onClose}
    />
  );
}

interface Initial {
  url: string;
  events: string[];
  description: string | null;
  header_names: readonly string[];
}

interface Values {
  url: string;
  events: string[];
  description: string | null;
  /** Absent: as they are. */
  headers?: Record<string, string> | null;
}

interface EndpointFormProps {
  title: string;
  description: string;
  submitLabel: string;
  initial: Initial;
  pending: boolean;
  error: unknown;
  onSubmit: (values: Values) => void;
  onClose: () => void;
}

const FORM = 'endpoint';

function EndpointForm({
  title,
  description,
  submitLabel,
  initial,
  pending,
  error,
  onSubmit,
  onClose,
}: EndpointFormProps) {
  const form = useForm({ defaultValues: { url: initial.url, description: initial.description ?? '', headers: '' } });
  const [events, setEvents] = useState(initial.events);
  const [noneChosen, setNoneChosen] = useState(false);
  const [dropped, setDropped] = useState(false);
  const refused = error ? readError(error) : null;
  const urlRefused = refused?.param === 'url' ? refused.message : undefined;
  const headersRefused = refused?.param?.startsWith('headers')
    ? headerProblem(refused.param, refused.message)
    : undefined;
  const submit = form.handleSubmit(({ url, description, headers }) => {
    if (events.length === 0) return setNoneChosen(true);
    const given = readHeaders(headers);
    onSubmit({
      url: url.trim(),
      events,
      description: description.trim() || null,
      ...(given ? { headers: given } : dropped && { headers: null }),
    });
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={title}
      description={description}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" form={FORM} pending={pending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={FORM} className="grid gap-5" noValidate onSubmit={submit}>
        <Field
          label="URL"
          hint="Publicly reachable, over https. Answer with any 2xx within 10 seconds; redirects are not followed."
          error={form.formState.errors.url?.message ?? urlRefused}
        >
          {(control) => (
            <Input
              {...control}
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://example.com/webhooks/threshold"
              {...form.register('url', { validate: (value) => value.trim() !== '' || 'Enter the address.' })}
            />
          )}
        </Field>
        <EventPicker
          value={events}
          onChange={(next) => {
            setEvents(next);
            setNoneChosen(false);
          }}
        />
        {noneChosen ? (
          <p role="alert" className="text-danger text-sm">
            Choose at least one event.
          </p>
        ) : null}
        <Field label="Description" hint="What it is for, for those who look after it.">
          {(control) => <Input {...control} maxLength={200} autoComplete="off" {...form.register('description')} />}
        </Field>
        <Field
          label="Headers"
          hint={
            initial.header_names.length > 0
              ? `Sent now: ${initial.header_names.join(', ')}. What you enter replaces them; left empty they stay.`
              : 'Added to every delivery, one a line: X-Gateway-Key: value. Kept encrypted and not shown again.'
          }
          error={form.formState.errors.headers?.message ?? headersRefused}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              spellCheck={false}
              autoComplete="off"
              className="font-mono text-xs"
              {...form.register('headers', {
                validate: (text) =>
                  text.trim() === '' || readHeaders(text) !== null || 'Write one a line, as Name: value.',
              })}
            />
          )}
        </Field>
        {initial.header_names.length > 0 ? (
          <Checkbox
            checked={dropped}
            onChange={(change) => setDropped(change.target.checked)}
            label="Remove the headers"
          />
        ) : null}
        {refused && !urlRefused && !headersRefused ? (
          <p role="alert" className="text-danger text-sm">
            {refused.message}
            {refused.request_id ? (
              <span className="block text-ink-soft text-xs">Request id {refused.request_id}</span>
            ) : null}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
