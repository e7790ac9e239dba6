'use client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import type { WebhookEndpointDetail } from '../../types';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input, Textarea } from '../../ui/form/input';
import { focusFieldNamedByError } from '../../ui/form/resolver';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { Checkbox } from '../checkbox';
import { SecretShownOnceDialog } from '../shown-once';
import { EventTypePicker } from './event-picker';
import { addHeaderNameToErrorMessage, parseHeaderLines } from './headers-text';

/** Creates an endpoint, then shows its signing secret once. */
export function CreateEndpointDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('webhooks');
  const trpc = useTRPC();
  const create = useMutation(trpc.webhook_endpoints.create.mutationOptions({ meta: { handlesError: true } }));
  if (create.data) {
    return (
      <SecretShownOnceDialog
        title={t('the_endpoint_is_ready')}
        label={t('signing_secret_noun')}
        secret={create.data.signing_secret}
        onClose={onClose}
      >
        <p>{t.rich('check_the_header', { code: (name) => <code className="font-mono text-xs/4!">{name}</code> })}</p>
      </SecretShownOnceDialog>
    );
  }
  return (
    <EndpointForm
      title={t('create_a_webhook_endpoint')}
      description={t('we_post_every_event')}
      submitLabel={t('create_the_endpoint')}
      initial={{ url: '', events: ['*'], description: null, header_names: [] }}
      pending={create.isPending}
      error={create.error}
      onSubmit={(values) => create.mutate(values)}
      onClose={onClose}
    />
  );
}

export function EditEndpointDialog({ endpoint, onClose }: { endpoint: WebhookEndpointDetail; onClose: () => void }) {
  const t = useTranslations('webhooks');
  const ui = useTranslations('ui');
  const trpc = useTRPC();
  const update = useMutation(
    trpc.webhook_endpoints.update.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => {
        toast.success(t('the_endpoint_is_saved'));
        onClose();
      },
    }),
  );
  return (
    <EndpointForm
      title={t('edit_the_endpoint')}
      description={t('what_waits_goes_to_the_new_address')}
      submitLabel={ui('save')}
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
  /** Undefined when the headers are unchanged. */
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
  const t = useTranslations('webhooks');
  const ui = useTranslations('ui');
  const form = useForm({ defaultValues: { url: initial.url, description: initial.description ?? '', headers: '' } });
  const [events, setEvents] = useState(initial.events);
  const [noneChosen, setNoneChosen] = useState(false);
  const [dropped, setDropped] = useState(false);
  const refused = error ? toDisplayableError(error) : null;
  // The `param` of an invalid header includes the header's name: `headers.X-Key`.
  const named = refused?.param?.split('.')[0] ?? null;
  useEffect(() => focusFieldNamedByError(form, named), [form, named]);
  const urlRefused = refused?.param === 'url' ? refused.message : undefined;
  const headersRefused = refused?.param?.startsWith('headers')
    ? addHeaderNameToErrorMessage(refused.param, refused.message)
    : undefined;
  const submit = form.handleSubmit(({ url, description, headers }) => {
    if (events.length === 0) return setNoneChosen(true);
    const given = parseHeaderLines(headers);
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
      dismissLabel={t('not_now')}
      footer={
        <Button type="submit" form={FORM} pending={pending}>
          {submitLabel}
        </Button>
      }
    >
      <form id={FORM} className="grid gap-5" noValidate onSubmit={submit}>
        <Field label={t('url')} hint={t('publicly_reachable')} error={form.formState.errors.url?.message ?? urlRefused}>
          {(control) => (
            <Input
              {...control}
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://example.com/webhooks/threshold"
              {...form.register('url', { validate: (value) => value.trim() !== '' || t('enter_the_address') })}
            />
          )}
        </Field>
        <EventTypePicker
          value={events}
          onChange={(next) => {
            setEvents(next);
            setNoneChosen(false);
          }}
        />
        {noneChosen ? (
          <p role="alert" className="text-danger text-sm">
            {t('choose_at_least_one_event')}
          </p>
        ) : null}
        <Field label={t('description')} hint={t('what_it_is_for')}>
          {(control) => <Input {...control} maxLength={200} autoComplete="off" {...form.register('description')} />}
        </Field>
        <Field
          label={t('headers')}
          hint={
            initial.header_names.length > 0
              ? t('sent_now', { names: initial.header_names.join(', ') })
              : t('added_to_every_delivery')
          }
          error={form.formState.errors.headers?.message ?? headersRefused}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              spellCheck={false}
              autoComplete="off"
              className="font-mono text-xs/4!"
              {...form.register('headers', {
                validate: (text) => text.trim() === '' || parseHeaderLines(text) !== null || t('write_one_a_line'),
              })}
            />
          )}
        </Field>
        {initial.header_names.length > 0 ? (
          <Checkbox
            checked={dropped}
            onChange={(change) => setDropped(change.target.checked)}
            label={t('remove_the_headers')}
          />
        ) : null}
        {refused && !urlRefused && !headersRefused ? (
          <p role="alert" className="text-danger text-sm">
            {refused.message}
            {refused.request_id ? (
              <span className="block text-ink-soft text-xs">{ui('request_id_value', { id: refused.request_id })}</span>
            ) : null}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
