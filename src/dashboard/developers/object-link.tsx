import { paths } from '../paths';
import { Link } from '../ui/link';

const PAGES: Record<string, (id: string) => string> = {
  prop: paths.property,
  res: paths.reservation,
  sig: paths.certificate,
  whe: paths.webhook,
  evt: paths.event,
  req: paths.log,
};

/** Returns the dashboard page for an object's id. Returns null when the object has no page. */
export function findPagePathByObjectId(id: string): string | null {
  return PAGES[id.slice(0, id.indexOf('_'))]?.(id) ?? null;
}

/** Shows an id, as a link when the object has a page. */
export function ApiObjectIdLink({ id }: { id: string }) {
  const href = findPagePathByObjectId(id);
  if (!href) return <code className="break-all font-mono text-xs">{id}</code>;
  return (
    <Link href={href} className="break-all font-mono text-primary text-xs underline underline-offset-4">
      {id}
    </Link>
  );
}
