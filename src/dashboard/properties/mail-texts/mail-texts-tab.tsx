'use client';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { GUEST_LANGUAGES, GUEST_LOCALES } from '@/shared/guest-text/locale';
import { MailPreview } from '../../outbox/mail-preview';
/**
 * Edits the texts of a property's mails: a subject and an introduction for each mail and language.
 */
import { QueryErrorPanel } from '../../query-error';
import { toDisplayableError } from '../../read-error';
import { type ProcedureInputs, useTRPC } from '../../trpc';
import type { Property, PropertyMailText, PropertyMailTextQueryInput } from '../../types';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { Field } from '../../ui/form/field';
import { Input, Textarea } from '../../ui/form/input';
import { Select } from '../../ui/form/select';
import { toast } from '../../ui/overlay/toaster';
import { Skeleton } from '../../ui/skeleton';

const MAILS = [
  'packet',
  'reminder_24h',
  'reminder_2h',
] as const satisfies readonly PropertyMailTextQueryInput['mail'][];

export default function MailTextsTab({ property }: { property: Property }) {
  const t = useTranslations('properties');
  const [mail, setMail] = useState<PropertyMailTextQueryInput['mail']>('packet');
  const [locale, setLocale] = useState<PropertyMailTextQueryInput['locale']>('en');
  const which = { id: property.id, mail, locale };
  const trpc = useTRPC();
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.properties.mail_text.queryOptions(which, { placeholderData: keepPreviousData }),
  );
  const written = (of: PropertyMailTextQueryInput['locale']) =>
    data?.written.some((one) => one.mail === mail && one.locale === of);
  return (
    <Card>
      <CardHeader title={t('mails')} description={t('your_own_subject_and_first_words_for')} />
      <CardBody className="flex flex-wrap gap-3 border-b">
        <Select
          aria-label={t('mail')}
          className="w-full sm:w-60"
          value={mail}
          onValueChange={(next) => setMail(next as PropertyMailTextQueryInput['mail'])}
          options={MAILS.map((value) => ({ value, label: t(`mail_${value}`) }))}
        />
        <Select
          aria-label={t('language')}
          className="w-full sm:w-52"
          value={locale}
          onValueChange={(next) => setLocale(next as PropertyMailTextQueryInput['locale'])}
          options={GUEST_LOCALES.map((value) => ({
            value,
            label: written(value)
              ? t('language_yours', { language: GUEST_LANGUAGES[value].name })
              : GUEST_LANGUAGES[value].name,
          }))}
        />
      </CardBody>
      {data && !isPlaceholderData ? (
        <Editor key={`${mail} ${locale}`} which={which} text={data} />
      ) : error ? (
        <QueryErrorPanel title={t('the_mail_could_not_be_loaded')} query={{ error, refetch }} />
      ) : (
        <CardBody className="grid gap-4">
          <Skeleton className="h-9" />
          <Skeleton className="h-32" />
        </CardBody>
      )}
    </Card>
  );
}

const TYPING_MS = 500;

/** Returns a preview of the mail with the typed text, after typing pauses. */
function usePreview(
  which: PropertyMailTextQueryInput,
  words: Pick<ProcedureInputs['properties']['save_mail_text'], 'subject' | 'intro'>,
) {
  const trpc = useTRPC();
  const preview = useMutation(trpc.properties.preview_mail_text.mutationOptions({ meta: { handlesError: true } }));
  const { mutate } = preview;
  const { id, mail, locale } = which;
  const { subject, intro } = words;
  useEffect(() => {
    const timer = setTimeout(() => mutate({ id, mail, locale, subject, intro }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [mutate, id, mail, locale, subject, intro]);
  return preview;
}

function Editor({
  which,
  text: { own, standard, codes },
}: {
  which: PropertyMailTextQueryInput;
  text: PropertyMailText;
}) {
  const t = useTranslations('properties');
  const [subject, setSubject] = useState(own.subject ?? '');
  const [intro, setIntro] = useState(own.intro ?? '');
  const words = { subject: subject.trim() || null, intro: intro.trim() || null };
  const preview = usePreview(which, words);
  const [shown, setShown] = useState(preview.data);
  const latest = preview.data;
  useEffect(() => {
    if (latest) setShown(latest);
  }, [latest]);
  const trpc = useTRPC();
  const save = useMutation(
    trpc.properties.save_mail_text.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => toast.success(t('saved_mails_say_so_from_now_on')),
    }),
  );
  const test = useMutation(trpc.properties.send_mail_text_test.mutationOptions());
  const refused = save.error
    ? toDisplayableError(save.error)
    : preview.error
      ? toDisplayableError(preview.error)
      : null;
  const errorOf = (field: string) => (refused?.param === field ? refused.message : undefined);
  const changed = words.subject !== own.subject || words.intro !== own.intro;
  return (
    <CardBody className="grid gap-6 xl:grid-cols-2">
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
            <Badge tone="primary">{t('yours_in', { language: GUEST_LANGUAGES[which.locale].name })}</Badge>
          ) : (
            <Badge>{t('our_words_in', { language: GUEST_LANGUAGES[which.locale].name })}</Badge>
          )}
        </p>
        <Field label={t('subject')} optional error={errorOf('subject')}>
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
          label={t('introduction')}
          optional
          hint={t('filled_in_for_each_guest', { codes: codes.map((code) => `{{${code}}}`).join(', ') })}
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
          <Button type="submit" pending={save.isPending} disabledReason={changed ? null : t('nothing_has_changed')}>
            {t('save')}
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
                      ? toast.success(t('a_test_is_on_its_way_to', { to }))
                      : toast.success(t('the_test_is_in_the_outbox'), { description: t('no_mail_goes_out_from_here') }),
                },
              )
            }
          >
            <Send aria-hidden />
            {t('send_me_a_test')}
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
              {t('back_to_our_words')}
            </Button>
          ) : null}
        </div>
      </form>
      <section aria-label={t('preview')} className="grid min-w-0 content-start gap-3">
        {shown ? (
          <>
            <p className="text-sm">
              <span className="text-ink-soft">{t('subject_2')} </span>
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
