'use client';
/** The property's logo: an uploaded picture, or the URL of one. */
import { useMutation } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import type { Property } from '../types';
import { Button } from '../ui/button';
import { toast } from '../ui/overlay/toaster';

/** The server has the same limit (properties/host.schemas.ts). */
const MOST_BYTES = 1_048_576;

const inBase64 = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',', 2)[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

interface LogoFieldProps {
  property: Property;
  /** The field for the URL. */
  children: ReactNode;
}

export function LogoField({ property, children }: LogoFieldProps) {
  const t = useTranslations('properties');
  const trpc = useTRPC();
  const input = useRef<HTMLInputElement>(null);
  const upload = useMutation(
    trpc.properties.upload_logo.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => {
        toast.success(t('the_logo_is_saved'), { description: t('guests_see_it_from_now_on') });
      },
    }),
  );
  const remove = useMutation(trpc.properties.update.mutationOptions());
  const choose = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MOST_BYTES) {
      toast.error(t('a_logo_has_at_most_1_mb'), { description: t('a_picture_of_512_pixels_is_large') });
      return;
    }
    upload.mutate({ id: property.id, picture: await inBase64(file) });
  };
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        {property.logo_url ? (
          // biome-ignore lint/performance/noImgElement: it lies wherever the host put it.
          <img
            src={property.logo_url}
            alt={t('the_logo_now')}
            className="h-11 max-w-40 rounded-md border bg-white object-contain p-1"
          />
        ) : null}
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg"
          aria-label={t('logo_file')}
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            void choose(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        <Button variant="secondary" pending={upload.isPending} onClick={() => input.current?.click()}>
          <Upload aria-hidden />
          {property.logo_url ? t('upload_another_logo') : t('upload_a_logo')}
        </Button>
        {property.logo_url ? (
          <Button
            variant="ghost"
            pending={remove.isPending}
            onClick={() => remove.mutate({ id: property.id, logo_url: null })}
          >
            {t('remove_it')}
          </Button>
        ) : null}
      </div>
      {upload.error ? (
        <p role="alert" className="text-danger text-sm">
          {toDisplayableError(upload.error).message}
        </p>
      ) : (
        <p className="text-ink-soft text-xs">{t('png_or_jpeg_at_most_1_mb')}</p>
      )}
      {children}
    </div>
  );
}
