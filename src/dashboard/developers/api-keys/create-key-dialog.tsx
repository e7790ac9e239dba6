'use client';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { readError } from '../../read-error';
import { useMe } from '../../shell/me';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input, Textarea } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { Checkbox } from '../checkbox';
import { ShownOnce } from '../shown-once';
import { useCreateKey } from './queries';
import { minimalScopes, readRanges } from './scope-groups';
import { ScopePicker } from './scope-picker';
import { TryKey } from './try-key';

interface Values {
  name: string;
  ip_allow: string;
}

const FORM = 'create-key';

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { mode } = useMe();
  const form = useForm<Values>({ defaultValues: { name: '', ip_allow: '' } });
  const [restricted, setRestricted] = useState(false);
  const [scopes, setScopes] = useState<string[]>([]);
  const [scopesMissing, setScopesMissing] = useState(false);
  const create = useCreateKey();

  if (create.data) {
    return (
      <ShownOnce title="The key is ready" label="API key" secret={create.data.key} onClose={onClose}>
        <TryKey apiKey={create.data.key} />
      </ShownOnce>
    );
  }

  const submit = form.handleSubmit(({ name, ip_allow }) => {
    const chosen = minimalScopes(scopes);
    if (restricted && chosen.length === 0) return setScopesMissing(true);
    create.mutate({ name, scopes: restricted ? chosen : null, ip_allow: readRanges(ip_allow) });
  });
  const refused = create.error ? readError(create.error) : null;
  const errorOf = (param: string) => (refused?.param?.split(/[.[]/)[0] === param ? refused.message : undefined);
  const nameError = form.formState.errors.name?.message ?? errorOf('name');
  const scopesError = scopesMissing ? 'Choose at least one scope.' : errorOf('scopes');
  const rangeError = errorOf('ip_allow');
  const placed = refused?.param && ['name', 'scopes', 'ip_allow'].includes(refused.param.split(/[.[]/)[0] ?? '');

  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={`Create a ${mode}-mode key`}
      description={
        mode === 'live'
          ? 'It works on real data, and sends real mail to guests.'
          : 'It works on test data only, and mails nobody.'
      }
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" form={FORM} pending={create.isPending}>
            Create the key
          </Button>
        </>
      }
    >
      <form id={FORM} className="grid gap-5" noValidate onSubmit={submit}>
        <Field
          label="Name"
          hint="What calls with it: you will want to know when it is time to rotate."
          error={nameError}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              placeholder="Channel manager"
              {...form.register('name', {
                validate: (value) => value.trim() !== '' || 'Give the key a name.',
                maxLength: { value: 80, message: 'At most 80 characters.' },
              })}
            />
          )}
        </Field>
        <fieldset className="grid gap-3">
          <legend className="mb-2 font-medium text-sm">What it may do</legend>
          <Checkbox
            type="radio"
            name="type"
            checked={!restricted}
            onChange={() => setRestricted(false)}
            label="Everything (secret key)"
            hint="All that the account owner can do through the API."
          />
          <Checkbox
            type="radio"
            name="type"
            checked={restricted}
            onChange={() => setRestricted(true)}
            label="Only what I choose (restricted key)"
            hint="For a service that needs a part: a lost key then costs no more than that part."
          />
        </fieldset>
        {restricted ? (
          <div className="grid gap-2">
            <ScopePicker
              value={scopes}
              onChange={(next) => {
                setScopes(next);
                setScopesMissing(false);
              }}
            />
            {scopesError ? (
              <p role="alert" className="text-danger text-sm">
                {scopesError}
              </p>
            ) : null}
          </div>
        ) : null}
        <Field
          label="Allowed addresses"
          optional
          hint="IP addresses or CIDR ranges, one a line. Requests from anywhere else are refused. Empty: from anywhere."
          error={rangeError}
        >
          {(control) => (
            <Textarea
              {...control}
              spellCheck={false}
              className="font-mono text-xs"
              placeholder={'203.0.113.7\n198.51.100.0/24'}
              {...form.register('ip_allow')}
            />
          )}
        </Field>
        {refused && !placed ? (
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
