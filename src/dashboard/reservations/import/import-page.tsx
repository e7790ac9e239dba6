'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download, FileUp } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { IMPORT_CSV_TEMPLATE, MAX_IMPORT_ROWS, MAX_IMPORT_TEXT_LENGTH } from '@/modules/reservations/import/file.rules';
import { PROPERTIES_INPUT } from '../../initial-queries';
import { paths } from '../../paths';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { Field } from '../../ui/form/field';
import { Textarea } from '../../ui/form/input';
import { Select } from '../../ui/form/select';
import { toast } from '../../ui/overlay/toaster';
import { PageHeader } from '../../ui/page-header';
import { ImportPreviewCard } from './import-preview';

const EACH = 'each';

/**
 * Imports bookings from a file. The user pastes or chooses the file and sees a preview of each
 * line. The import is all or nothing.
 */
export function ReservationImportPage() {
  const t = useTranslations('reservation_import');
  const router = useRouter();
  const trpc = useTRPC();
  const properties = useQuery(trpc.properties.list.queryOptions(PROPERTIES_INPUT));
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [file_name, setFileName] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [property, setProperty] = useState(EACH);
  const [order, setOrder] = useState<'day' | 'month'>('day');
  const preview = useMutation(trpc.reservations.preview_import.mutationOptions({ meta: { handlesError: true } }));
  const run = useMutation(
    trpc.reservations.import.mutationOptions({
      meta: { handlesError: true },
      onSuccess: ({ created, skipped }) => {
        toast.success(t('created_as_drafts', { created }), {
          description: skipped > 0 ? t('skipped_were_there_already', { skipped }) : undefined,
        });
        router.push(paths.reservations);
      },
    }),
  );

  const input = (changes: { text?: string; property?: string; order?: 'day' | 'month' } = {}) => {
    const chosen = changes.property ?? property;
    return {
      text: changes.text ?? text,
      property_id: chosen === EACH ? null : chosen,
      day_first: (changes.order ?? order) === 'day',
    };
  };
  const check = (changes: Parameters<typeof input>[0] = {}) => {
    run.reset();
    const wanted = input(changes);
    if (wanted.text.trim()) preview.mutate(wanted);
    else preview.reset();
  };
  /** Discards a preview that no longer matches the input. */
  const forget = () => {
    preview.reset();
    run.reset();
  };
  const choose = async (file: File | undefined) => {
    if (!file) return;
    setProblem(null);
    const read = await readText(file);
    if (!read.ok) return setProblem(t(read.why));
    setFileName(file.name);
    setText(read.text);
    check({ text: read.text });
  };

  return (
    <>
      <PageHeader
        back={{ href: paths.reservations, label: t('reservations') }}
        title={t('import_reservations')}
        description={t('from_a_csv_file_a_line_for')}
        actions={
          <Button variant="secondary" onClick={downloadTemplate}>
            <Download aria-hidden />
            {t('template')}
          </Button>
        }
      />
      <div className="grid gap-6">
        <Card>
          <CardHeader title={t('the_file')} description={t('up_to_so_many_bookings', { most: MAX_IMPORT_ROWS })} />
          <CardBody className="grid gap-5">
            <div className="flex flex-wrap items-center gap-3">
              <input
                ref={picker}
                type="file"
                accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
                className="sr-only"
                aria-label={t('csv_file')}
                tabIndex={-1}
                onChange={(event) => {
                  void choose(event.target.files?.[0]);
                  event.target.value = '';
                }}
              />
              <Button variant="secondary" onClick={() => picker.current?.click()}>
                <FileUp aria-hidden />
                {t('choose_a_file')}
              </Button>
              <span className="break-all text-ink-soft text-sm">{file_name ?? t('or_paste_its_lines_below')}</span>
            </div>
            <Field label={t('lines')} error={problem} hint={t('the_first_line_names_the_columns_property')}>
              {(control) => (
                <Textarea
                  {...control}
                  className="min-h-40! font-mono text-xs/4!"
                  spellCheck={false}
                  value={text}
                  placeholder={IMPORT_CSV_TEMPLATE}
                  onChange={(event) => {
                    setText(event.target.value);
                    setFileName(null);
                    setProblem(null);
                    forget();
                  }}
                  onDragOver={(event) => event.preventDefault()}
                  onDrop={(event) => {
                    const [file] = event.dataTransfer.files;
                    if (!file) return;
                    event.preventDefault();
                    void choose(file);
                  }}
                />
              )}
            </Field>
            <div className="grid items-start gap-5 sm:grid-cols-2">
              <Field label={t('property')} hint={t('for_files_without_a_column_of_properties')}>
                {(control) => (
                  <Select
                    {...control}
                    value={property}
                    options={[
                      { value: EACH, label: t('as_each_line_says') },
                      ...(properties.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
                    ]}
                    onValueChange={(value) => {
                      setProperty(value);
                      check({ property: value });
                    }}
                  />
                )}
              </Field>
              <Field label={t('dates_like_03_04_2027')} hint={t('2027_04_03_3_4_2027_and')}>
                {(control) => (
                  <Select
                    {...control}
                    value={order}
                    options={[
                      { value: 'day', label: t('april_3_the_day_is_first') },
                      { value: 'month', label: t('march_4_the_month_is_first') },
                    ]}
                    onValueChange={(value) => {
                      const next = value === 'month' ? 'month' : 'day';
                      setOrder(next);
                      check({ order: next });
                    }}
                  />
                )}
              </Field>
            </div>
            <FormErrorMessage refused={preview.error ? toDisplayableError(preview.error) : null} />
            <Button
              className="w-fit"
              variant={preview.data ? 'secondary' : 'primary'}
              pending={preview.isPending}
              disabledReason={text.trim() ? null : t('choose_a_file_or_paste_its_lines')}
              onClick={() => check()}
            >
              {t('check')}
            </Button>
          </CardBody>
        </Card>
        {preview.data ? (
          <ImportPreviewCard
            preview={preview.data}
            pending={run.isPending}
            refused={run.error ? toDisplayableError(run.error) : null}
            onImport={() => run.mutate(preview.variables)}
          />
        ) : null}
      </div>
    </>
  );
}

/** Decodes a CSV file as UTF-8, or as windows-1252, which Excel writes in Western Europe. */
async function readText(
  file: File,
): Promise<{ ok: true; text: string } | { ok: false; why: 'file_too_large' | 'no_text_file' }> {
  if (file.size > MAX_IMPORT_TEXT_LENGTH * 2) return { ok: false, why: 'file_too_large' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.includes(0)) return { ok: false, why: 'no_text_file' };
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { ok: true, text: new TextDecoder('windows-1252').decode(bytes) };
  }
}

function downloadTemplate(): void {
  const url = URL.createObjectURL(new Blob([IMPORT_CSV_TEMPLATE], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'reservations.csv';
  link.click();
  URL.revokeObjectURL(url);
}
