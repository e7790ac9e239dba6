'use client';
/** What a property's mails say: its own subject and introduction, mail by mail and language by language. */
import { Send } from 'lucide-react';
import { useEffect, useState } from 'react';
import { MailPreview } from '../../outbox/mail-preview';
import { LANGUAGE_NAMES } from '../../packets/editor/languages';
import { readError } from '../../read-error';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { ErrorPanel } from '../../ui/error-panel';
import { Field } from '../../ui/form/field';
import { Input, Textarea } from '../../ui/form/input';
import { Select } from '../../ui/form/select';
import { toast } from '../../ui/overlay/toaster';
import { Skeleton } from '../../ui/skeleton';
import type { Property } from '../queries';
import { type MailText, useMailText, usePreview, useSaveMailText, useSendTest, type Which } from './queries';

const MAILS: { value: Which['mail']; label: string }[] = [
  { value: 'packet', label: 'The packet' },
  { value: 'reminder_24h', label: 'Reminder, 24 hours before' },
  { value: 'reminder_2h', label: 'Reminder, 2 hours before' },
];
const LOCALES = Object.keys(LANGUAGE_NAMES) as Which['locale'][];

export default function MailTextsTab({ property }: { property: Property }) {
  const [mail, setMail] = useState<Which['mail']>('packet');
  const [locale, setLocale] = useState<Which['locale']>('en');
  const which = { id: property.id, mail, locale };
  const { data, error, refetch, isPlaceholderData } = useMailText(which);
  const written = (of: Which['locale']) => data?.written.some((one) => one.mail === mail && one.locale === of);
  return (
    <Card>
      <CardHeader
        title="Mails"
        description="Your own subject and first words, for guests of each language. The stay, the button and the small print stay."
      />
      <CardBody className="flex flex-wrap gap-3 border-b">
        <Select
          aria-label="Mail"
          className="w-full sm:w-60"
          value={mail}
          onValueChange={(next) => setMail(next as Which['mail'])}
          options={MAILS}
        />
        <Select
          aria-label="Language"
          className="w-full sm:w-52"
          value={locale}
          onValueChange={(next) => setLocale(next as Which['locale'])}
          options={LOCALES.map((value) => ({
            value,
            label: `${LANGUAGE_NAMES[value]}${written(value) ? ', yours' : ''}`,
          }))}
        />
      </CardBody>
      {data && !isPlaceholderData ? (
        <Editor key={`${mail} ${locale}`} which={which} text={data} />
      ) : error ? (
        <ErrorPanel
          title="The mail could not be loaded"
          message={readError(error).message}
          requestId={readError(error).request_id}
          onRetry={() => void refetch()}
        />
      ) : (
        <CardBody className="grid gap-4">
          <Skeleton className="h-9" />
          <Skeleton className="h-32" />
        </CardBody>
      )}
    </Card>
  );
}

function Editor({ which, text: { own, standard, codes } }: { which: Which; text: MailText }) {
  const [subject, setSubject] = useState(own.subject ?? '');
  const [intro, setIntro] = useState(own.intro ?? '');
  const words = { subject: subject.trim() || null, intro: intro.trim() || null };
  const preview = usePreview(which, words);
  const [shown, setShown] = useState(preview.data);
  const latest = preview.data;
  useEffect(() => {
    if (latest) setShown(latest);
  }, [latest]);
  const save = useSaveMailText(() => toast.success('Saved. Mails say so from now on.'));
  const test = useSendTest();
  const refused = save.error ? readError(save.error) : preview.error ? readError(preview.error) : null;
  const errorOf = (field: string) => (refused?.param === field ? refused.message : undefined);
  const changed = words.subject !== own.subject || words.intro !== own.intro;
  return (
    <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-2">
      <form
        noValidate
        className="grid content-start gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ ...which, ...words });
        }}
      >
        <p>
          {own.subject || own.intro ? (
            <Badge tone="primary">Yours in {LANGUAGE_NAMES[which.locale]}</Badge>
          ) : (
            <Badge>Our words in {LANGUAGE_NAMES[which.locale]}</Badge>
          )}
        </p>
        <Field label="Subject" optional error={errorOf('subject')}>
          {(control) => (
            <Input
              {...control}
              value={subject}
              maxLength={150}
              placeholder={standard.subject}
              autoComplete="off"
              lang={which.locale}
              onChange={(event) => setSubject(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Introduction"
          optional
          hint={`Filled in for each guest: ${codes.map((code) => `{{${code}}}`).join(', ')}`}
          error={errorOf('intro')}
        >
          {(control) => (
            <Textarea
              {...control}
              value={intro}
              rows={6}
              maxLength={2_000}
              placeholder={standard.intro}
              lang={which.locale}
              onChange={(event) => setIntro(event.target.value)}
            />
          )}
        </Field>
        {refused && refused.param !== 'subject' && refused.param !== 'intro' ? (
          <p role="alert" className="text-danger text-sm">
            {refused.message}
          </p>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={save.isPending} disabledReason={changed ? null : 'Nothing has changed.'}>
            Save
          </Button>
          <Button
            variant="secondary"
            pending={test.isPending}
            onClick={() =>
              test.mutate(
                { ...which, ...words },
                {
                  onSuccess: ({ to, sent }) =>
                    sent
                      ? toast.success(`A test is on its way to ${to}.`)
                      : toast.success('The test is in the outbox.', { description: 'No mail goes out from here.' }),
                },
              )
            }
          >
            <Send aria-hidden />
            Send me a test
          </Button>
          {own.subject || own.intro ? (
            <Button
              variant="ghost"
              pending={save.isPending}
              onClick={() => {
                setSubject('');
                setIntro('');
                save.mutate({ ...which, subject: null, intro: null });
              }}
            >
              Back to our words
            </Button>
          ) : null}
        </div>
      </form>
      <section aria-label="Preview" className="grid min-w-0 content-start gap-3">
        {shown ? (
          <>
            <p className="text-sm">
              <span className="text-ink-soft">Subject: </span>
              <span className="font-medium">{shown.subject}</span>
            </p>
            <MailPreview html={shown.html} text={shown.text} stale={preview.isPending} />
          </>
        ) : (
          <Skeleton className="h-96" />
        )}
      </section>
    </CardBody>
  );
}
