/** The AI assistants that members connected. */

import { config } from '@/config';
import { inSystemTransaction } from '@/infra/db/transaction';
import { deleteUnusedAuthorizationCodes } from '@/modules/accounts/confirmation/confirmation';
import { isApiKeyScopeName } from '@/modules/api-keys/scopes';
import { buildNewAuditEntryRow, writeCollectedAuditEntries } from '@/modules/audit-log/service';
import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { getRedirectUriDisplayName } from './redirect-uri.rules';
import * as repository from './repository';

/** Returns a registered OAuth client. Throws resource_missing. */
export async function retrieveOauthClient(client_id: string) {
  const client = await repository.findOauthClient(client_id);
  if (!client) throw new AppError('resource_missing', { message: createRefusal('no_such_assistant') });
  return { name: client.name, live_allowed: config().mcp_live_keys };
}

/** Records whether the consenting session had used a second factor. */
export const recordWhetherConsentUsedSecondFactor = repository.storeWhetherConsentUsedSecondFactor;

interface Person {
  readonly id: string;
  readonly role: string;
}

const maySee = (person: Person) => (row: { user_id: string }) => person.role === 'owner' || row.user_id === person.id;

/**
 * Returns the member's connections in the team, in both modes. An owner gets the connections of all
 * members.
 */
export async function listAssistantConnections(scope: Scope, person: Person) {
  const rows = await repository.findAssistantConnections(scope.team_id);
  return rows.filter(maySee(person)).map((row) => ({
    id: row.id,
    mode: row.mode,
    client_name: row.client_name,
    // All redirect URIs are listed, because the client may use any of them.
    place: [...new Set(row.redirect_uris.map(getRedirectUriDisplayName))].join(', '),
    person: row.person,
    scopes: row.scopes.filter(isApiKeyScopeName),
    connected_at: row.created_at.toISOString(),
    renewed_at: row.renewed_at?.toISOString() ?? null,
  }));
}

/** Ends a connection. The assistant's next request is refused. Throws resource_missing. */
export async function revokeAssistantConnection(scope: Scope, person: Person, id: string): Promise<void> {
  await inSystemTransaction(async () => {
    const row = (await repository.findAssistantConnections(scope.team_id))
      .filter(maySee(person))
      .find((one) => one.id === id);
    if (!row || !(await repository.deleteAssistantConnection(row)))
      throw new AppError('resource_missing', { message: createRefusal('no_such_assistant') });
    await deleteUnusedAuthorizationCodes({ client_id: row.client_id, referenceId: row.reference_id });
    const data = { name: row.client_name ?? '' };
    await writeCollectedAuditEntries([
      buildNewAuditEntryRow(
        { ...scope, mode: row.mode },
        { action: 'assistant.disconnected', object_id: row.user_id, data },
      ),
    ]);
  });
}
