import { BookOpen, FileJson } from 'lucide-react';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Link } from '../ui/link';

/** The way to the API reference, for a page’s header. */
export function ReferenceLinks() {
  return (
    <>
      <Button asChild variant="secondary">
        <Link href={paths.docs_reference}>
          <BookOpen aria-hidden />
          API reference
        </Link>
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
