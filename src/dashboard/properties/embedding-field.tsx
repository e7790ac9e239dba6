import type { UseFormRegister } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { useMe } from '../shell/me';
import { Field } from '../ui/form/field';
import { Textarea } from '../ui/form/input';
import type { PropertyFormValues } from './property-values';

/** The field for the sites that may embed the signing page. */
export function EmbeddingSitesField({
  register,
  error,
}: {
  register: UseFormRegister<Partial<PropertyFormValues>>;
  error: string | undefined;
}) {
  const t = useTranslations('properties');
  const ui = useTranslations('ui');
  const { user } = useMe();
  const owner = user.role === 'owner' || (user.role === 'developer' && user.sees_guests);
  return (
    <Field
      label={t('sites_that_may_show_the_signing_page')}
      optional
      hint={
        <>
          {t('inside_of_a_page_of_theirs')}{' '}
          <a className="text-primary underline underline-offset-4" href="/docs/embedding">
            {t('how_to_embed_it')}
          </a>
          .
        </>
      }
      error={error}
    >
      {(control) => (
        <Textarea
          {...control}
          rows={3}
          readOnly={!owner}
          title={owner ? undefined : ui('owners_only')}
          className="font-mono"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://portal.example"
          {...register('embed_origins')}
        />
      )}
    </Field>
  );
}
