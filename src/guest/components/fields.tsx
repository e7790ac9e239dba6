import type { ReactNode } from 'react';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import type { FieldError, FieldErrorCode } from '../view-models';
import { Icon } from './icons';

/**
 * The list of errors. It gets the focus when the form is returned with errors. Each entry links to
 * its field.
 */
export function FormErrorSummary<Field extends string>({
  errors,
  t,
}: {
  errors: FieldError<Field>[];
  t: TranslateFunction;
}) {
  return (
    <div className="notice notice-error" id="errors" role="alert" tabIndex={-1} hidden={errors.length === 0}>
      <h2>
        <Icon name="alert" />
        <span id="errors-title">{t('errors.title', { count: errors.length })}</span>
      </h2>
      <ul>
        {errors.map((error) => (
          <li key={`${error.field} ${error.code}`}>
            {error.field ? <a href={`#${error.field}`}>{t(`error.${error.code}`)}</a> : t(`error.${error.code}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The error of a field. When the script finds an error, it inserts the text of `data-required`. */
export function ErrorText({
  field,
  errors,
  required,
  t,
}: {
  field: string;
  errors: FieldError<string>[];
  required: FieldErrorCode | null;
  t: TranslateFunction;
}) {
  const error = errors.find((candidate) => candidate.field === field);
  return (
    <p
      className="field-error"
      id={`${field}-error`}
      hidden={!error}
      data-required={required ? t(`error.${required}`) : undefined}
    >
      <Icon name="alert" />
      <span>{error ? t(`error.${error.code}`) : ''}</span>
    </p>
  );
}

/** Returns the attributes that connect an input with its hint and its error. */
export function getAriaDescriptionAttributes(field: string, errors: FieldError<string>[], hint: boolean) {
  const invalid = errors.some((error) => error.field === field);
  return {
    'aria-describedby': hint ? `${field}-error ${field}-hint` : `${field}-error`,
    'aria-invalid': invalid ? (true as const) : undefined,
  };
}

/** A step of the form with its heading. */
export function FormStep({
  id,
  title,
  children,
  className,
}: {
  id: string;
  title: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <fieldset className={className ? `step ${className}` : 'step'} id={id}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

/** The field for a code that was sent by email. */
export function OneTimeCodeInput({
  errors,
  value,
  t,
  required,
}: {
  errors: FieldError<string>[];
  value: string;
  t: TranslateFunction;
  required: boolean;
}) {
  return (
    <div className="field">
      <label htmlFor="otp_code">{t('code.label')}</label>
      <p className="hint" id="otp_code-hint">
        {t('code.hint')}
      </p>
      <ErrorText field="otp_code" errors={errors} required="code_required" t={t} />
      <input
        className="code-input"
        id="otp_code"
        name="otp_code"
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        defaultValue={value}
        required={required}
        {...getAriaDescriptionAttributes('otp_code', errors, true)}
      />
    </div>
  );
}
