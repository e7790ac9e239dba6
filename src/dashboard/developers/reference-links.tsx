'use client';
import { BookOpen, FileJson } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { AnchorButton } from '../ui/link-button';

/** The link to the API reference in a page's header. */
export function ApiReferenceLink() {
  const t = useTranslations('developers');
  return (
    <>
      <AnchorButton variant="secondary" href={paths.docs_reference}>
        <BookOpen aria-hidden />
        {t('api_reference')}
      </AnchorButton>
      <AnchorButton variant="secondary" href={paths.openapi} target="_blank" rel="noreferrer">
        <FileJson aria-hidden />
        openapi.json
      </AnchorButton>
    </>
  );
}
