/**
 * Tracks a custom domain over time. Saves the result of each lookup and notifies the owners.
 * Callers look up the DNS outside of transactions.
 */
import { config } from '@/config';
import { renderCustomDomainLapsedEmail } from '@/emails/domain-lapsed';
import { recordEvent } from '@/events/record';
import type { Property } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { findOwnerEmailAddresses } from '@/modules/accounts/team.service';
import type { AuditAction } from '@/modules/audit-log/actions';
import { recordAuditEntry } from '@/modules/audit-log/service';
import { queueMail } from '@/modules/mail/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { Mode } from '@/shared/scope';
import { createSystemScope, type Scope } from '@/shared/scope';
import * as repository from '../repository';
import { serializeProperty } from '../serializer';
import type { DnsRecordState } from './custom-domain.rules';
import {
  computeDomainHealthAfterLookup,
  createHealthRecordOfLapsedDomain,
  type DomainHealth,
  type DomainLookupOutcome,
  getDomainState,
} from './health.rules';

export type CustomDomainLapseReason = 'unproven' | 'taken_over' | 'released';

/**
 * Saves the result of a lookup of `domain`. Throws concurrent_edit when the property's domain has
 * changed, and custom_domain_taken when another property proved the domain at the same time.
 */
export async function saveDnsLookupResult(
  scope: Scope,
  before: Property,
  domain: string,
  txt: DnsRecordState,
): Promise<{ property: Property; outcome: DomainLookupOutcome }> {
  const now = clock().now();
  const { outcome, health } = computeDomainHealthAfterLookup(before, txt, now);
  if (outcome === 'lapsed') return { property: await giveUp(scope, before, domain, health, 'unproven'), outcome };
  if (outcome === 'verified' || outcome === 'restored') {
    const action = outcome === 'restored' ? ('property.domain_restored' as const) : null;
    return { property: await save(scope, before, domain, health, { action, mails: [] }), outcome };
  }
  // Keeps the property's version, so that the check does not conflict with concurrent edits.
  const row = await repository.saveCustomDomainHealth(scope, before, domain, {
    ...health,
    custom_domain_checked_at: now,
  });
  return { property: row ?? before, outcome };
}

/** Removes a domain from every other property in the mode that has verified it. */
export async function removeDomainFromOtherProperties(
  domain: string,
  mode: Scope['mode'],
  reason: Exclude<CustomDomainLapseReason, 'unproven'>,
  except: string | null = null,
): Promise<Property[]> {
  const released: Property[] = [];
  for (const holder of await repository.findOtherPropertiesWithDomain(domain, mode, except)) {
    const scope = createSystemScope(holder.team_id, mode, 'domain-check');
    released.push(await giveUp(scope, holder, domain, createHealthRecordOfLapsedDomain(clock().now()), reason));
  }
  return released;
}

/** Ends a property's use of its domain and mails the owners. */
async function giveUp(
  scope: Scope,
  before: Property,
  domain: string,
  health: DomainHealth,
  reason: CustomDomainLapseReason,
): Promise<Property> {
  const content = await renderCustomDomainLapsedEmail({
    domain,
    property_name: before.name,
    reason,
    dashboard_url: `${config().app_url}/properties/${before.id}`,
  });
  const owners = await findOwnerEmailAddresses(before.team_id);
  const mails = owners.map((to) => ({ ...content, template: 'domain_lapsed', to }));
  return save(scope, before, domain, health, { action: 'property.domain_lapsed', mails });
}

async function save(
  scope: Scope,
  before: Property,
  domain: string,
  health: DomainHealth,
  { action, mails }: { action: AuditAction | null; mails: readonly Parameters<typeof queueMail>[1][] },
): Promise<Property> {
  const now = clock().now();
  try {
    return await inTransaction(scope, async () => {
      const changes = { ...health, custom_domain_checked_at: now, updated_at: now };
      const row = await repository.saveProperty(scope, before.id, before.version, changes);
      // Rolls back if the property was edited or its domain changed.
      if (!row || row.custom_domain !== domain) throw new AppError('concurrent_edit');
      const previous_attributes = {
        custom_domain_verified_at: before.custom_domain_verified_at?.toISOString() ?? null,
      };
      if (action) await recordAuditEntry(scope, { action, object_id: row.id, data: { name: domain } });
      for (const mail of mails) await queueMail(scope, mail);
      await recordEvent(scope, {
        type: 'property.updated',
        object_id: row.id,
        data: { object: serializeProperty(row), previous_attributes },
      });
      return row;
    });
  } catch (error) {
    if ((error as { code?: string }).code === 'P2002')
      throw new AppError('custom_domain_taken', { param: 'custom_domain', internal: error });
    throw error;
  }
}

/** Returns the state of the domain for the dashboard. */
export const getCustomDomainStatus = (property: Property) => ({
  state: getDomainState(property),
  confirmed_at: property.custom_domain_confirmed_at?.toISOString() ?? null,
  failing_since: property.custom_domain_failing_since?.toISOString() ?? null,
  lapsed_at: property.custom_domain_lapsed_at?.toISOString() ?? null,
});

/** Removes the domain from every property that has verified it. Returns these properties. */
export async function removeDomainAsOperator(
  domain: string,
  mode: Mode,
): Promise<{ property: string; team: string }[]> {
  const released = await removeDomainFromOtherProperties(domain.trim().toLowerCase(), mode, 'released');
  return released.map(({ id, team_id }) => ({ property: id, team: team_id }));
}
