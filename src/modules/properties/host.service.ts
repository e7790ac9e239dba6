/** What the dashboard asks of properties beyond the public operations. */
import type { Property } from '@/generated/prisma/client';
import type { Page, PageQuery } from '@/infra/db/keyset';
import type { Scope } from '@/shared/scope';
import * as repository from './host.repository';

/** Properties whose name, city or address holds the text, newest first. */
export function searchProperties(scope: Scope, query: PageQuery & { search?: string }): Promise<Page<Property>> {
  return repository.searchProperties(scope, query);
}
