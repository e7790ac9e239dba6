import type { UseFormRegister } from 'react-hook-form';
import { Field } from '../ui/form/field';
import { Textarea } from '../ui/form/input';
import type { PropertyValues } from './property-values';

/** Which other sites may show the signing page inside of a page of theirs. */
export function EmbeddingField({
  register,
  error,
}: {
  register: UseFormRegister<Partial<PropertyValues>>;
  error: string | undefined;
}) {
  return (
    <Field
      label="Sites that may show the signing page"
      optional
      hint={
        <>
          Inside of a page of theirs, one address a line, like https://portal.example; at most ten. Whoever runs such a
          site can lead a guest’s clicks: name only sites you trust. Empty: none may.{' '}
          <a className="text-primary underline underline-offset-4" href="/docs/embedding">
            How to embed it
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
