'use client';
import { BookOpen, FileJson } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { Button } from '../ui/button';

/** The way to the API reference, for a page’s header. */
export function ReferenceLinks() {
  const t = useTranslations('developers');
  return (
    <>
      <Button asChild variant="secondary">
        <a href={paths.docs_reference}>
          <BookOpen aria-hidden />
          {t('api_reference')}
        </a>
      </Button>
      <Button asChild variant="secondary">
        <a href={paths.openapi} target="_blank" rel="noreferrer">
          <FileJson aria-hidden />
          openapi.json
        </a>
      </Button>
    </>
  );
}
