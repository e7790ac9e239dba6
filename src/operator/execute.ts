/** Executes an operator's command in the process that has the database open. */
import { readFile } from 'node:fs/promises';

import { config } from '@/config';
import { listDeadLetters, retryDeadLetter } from '@/events/outbox';
import { notifyEventRelay } from '@/events/process-listeners';
import { allowMailboxOwnerToTakeOverAccount } from '@/modules/accounts/confirmation/confirmation';
import { inviteMemberByOperator } from '@/modules/accounts/members.service';
import { createTeam, setTeamPricePlan } from '@/modules/accounts/service';
import { createPasswordResetLink } from '@/modules/accounts/sign-in/auth';
import { createApiKey, revokeApiKey } from '@/modules/api-keys/service';
import {
  importSealingCertificate,
  listTrustedSealingCertificates,
  retireSealingKey,
} from '@/modules/certificates/seal/installation-key';
import { removeDomainAsOperator } from '@/modules/properties/domains/health.service';
import { serializeSyncSource } from '@/modules/sync-sources/serializer';
import { createSyncSource } from '@/modules/sync-sources/service';
import { copyEmbeddedDatabase } from './backup/backup-copy';
import type { ParsedOperatorCommand } from './command-line/commands';
import { runDiagnosis } from './doctor';
import { listApiKeysForOperator, listSyncSources, listTeams, listWebhookEndpoints } from './lists';
import { findTeamScope, findTeamScopeOfApiKey, findTeamScopeOfProperty } from './owners';
import { listDurableRunsForOperator, retryFailedDurableRun } from './runs';
import { moveStoredFileBatch } from './storage-move';

/**
 * Executes the command and returns the result for the operator. Throws an error with a one-line
 * message.
 */
export async function executeCommand(command: ParsedOperatorCommand): Promise<unknown> {
  switch (command.name) {
    case 'team create':
      return createTeam(command.options);
    case 'team list':
      return { data: await listTeams(command.options) };
    case 'key list':
      return { data: await listApiKeysForOperator(command.options) };
    case 'domain release': {
      const { domain, mode } = command.options;
      return { released: await removeDomainAsOperator(domain, mode) };
    }
    case 'endpoint list':
      return { data: await listWebhookEndpoints(command.options) };
    case 'sync-source list':
      return { data: await listSyncSources(command.options) };
    case 'team set-plan':
      return { team: await setTeamPricePlan(command.options.team, command.options.plan) };
    case 'team invite': {
      const { team, email, role } = command.options;
      return inviteMemberByOperator(team, { email, role });
    }
    case 'user reset-link':
      return createPasswordResetLink(command.options.email);
    case 'user release':
      return allowMailboxOwnerToTakeOverAccount(command.options.email);
    case 'key create':
      return createOperatorKey(command.options);
    case 'key revoke': {
      const id = command.options.key;
      await revokeApiKey(await findTeamScopeOfApiKey(id), id);
      return { id, revoked: true };
    }
    case 'sync-source create': {
      const { property, kind, url } = command.options;
      const scope = await findTeamScopeOfProperty(property);
      return serializeSyncSource(await createSyncSource(scope, { property_id: property, kind, feed_url: url ?? null }));
    }
    case 'certificate verify': {
      // This module is loaded on demand, because it parses PDFs, which the server itself does in
      // worker threads.
      const { verifySealedFile } = await import('@/modules/certificates/verify/file');
      return verifySealedFile(command.options.file, command.options.certificate);
    }
    case 'seal-key list':
      return { data: await listTrustedSealingCertificates() };
    case 'seal-key import':
      return importSealingCertificate(await readFile(command.options.file, 'utf8'));
    case 'seal-key retire':
      return { retired: await retireSealingKey() };
    case 'log verify': {
      const { verifyPublicLog } = await import('@/modules/certificates/verify/file');
      return verifyPublicLog(command.options.checkpoint);
    }
    case 'run list':
      return { data: await listDurableRunsForOperator(command.options) };
    case 'run retry':
      return { id: command.options.run, retried: await retryFailedDurableRun(command.options.run) };
    case 'dead-letter list':
      return { data: await listDeadLetters() };
    case 'dead-letter retry': {
      const id = command.options.event;
      const retried = await retryDeadLetter(id);
      notifyEventRelay();
      return { id, retried };
    }
    case 'storage move':
      return moveStoredFileBatch(command.options.to, command.options.after);
    case 'doctor':
      return runDiagnosis();
    case 'status': {
      const { app_url, outbound_allow_loopback } = config();
      return { app_url, outbound_allow_loopback };
    }
    case 'backup':
      // The command requests only a copy from a running server, and reads the copy itself
      // (run-command.ts).
      return copyEmbeddedDatabase();
    case 'completion':
      throw new Error('A shell’s completions need no database.');
    case 'backup verify':
      throw new Error('A file is checked without a database.');
    case 'restore':
      throw new Error('A server has this database open. Stop it, then restore.');
  }
}

async function createOperatorKey(options: Extract<ParsedOperatorCommand, { name: 'key create' }>['options']) {
  const scope = await findTeamScope(options.team, options.mode);
  const { id, key } = await createApiKey(scope, {
    name: options.name,
    scopes: options.scopes ?? null,
    ip_allow: options.ip_allow ?? [],
  });
  return { id, key };
}
