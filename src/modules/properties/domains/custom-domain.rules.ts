/**
 * Rules for custom domains. A TXT record with the property's token proves that a domain belongs to
 * the property, because only the property's host can see its token in the dashboard. The CNAME
 * record sends guests to our host but proves nothing. It is the same for all properties and often
 * remains after a property is deleted. Pure.
 */

/** The DNS records that the domain must have. */
export interface ExpectedDomainDnsRecords {
  domain: string;
  /** The host name to which the CNAME record must point. */
  cname_target: string;
  txt_name: string;
  txt_value: string;
}

/** The records that the DNS returned, or an error code such as `ENOTFOUND`. */
export interface CustomDomainDnsRecords {
  cname: readonly string[] | { error: string };
  txt: readonly string[] | { error: string };
}

export type DnsRecordState = 'found' | 'different' | 'missing' | 'unanswered';

export interface DomainDnsRecordCheckResult {
  verified: boolean;
  cname: DnsRecordState;
  txt: DnsRecordState;
  /** The records whose values are not the expected ones, for the host to compare. */
  found: { cname: string[]; txt: string[] };
}

/** Returns the name of the TXT record. */
export const getTxtRecordName = (domain: string): string => `_threshold.${domain}`;

/** Error codes of node:dns that mean that a record does not exist. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA', 'NXDOMAIN']);

const hostName = (name: string) => name.trim().toLowerCase().replace(/\.$/, '');

/**
 * Compares the records with the expected ones. Only the token proves the domain. An unavailable DNS
 * server does not count as a missing record.
 */
export function checkDomainDnsRecords(
  expected: ExpectedDomainDnsRecords,
  records: CustomDomainDnsRecords,
): DomainDnsRecordCheckResult {
  const cname = stateOf(records.cname, (name) => hostName(name) === hostName(expected.cname_target));
  const txt = stateOf(records.txt, (text) => text.trim() === expected.txt_value);
  return {
    verified: txt === 'found',
    cname,
    txt,
    found: { cname: valuesOf(records.cname), txt: valuesOf(records.txt) },
  };
}

const valuesOf = (answer: CustomDomainDnsRecords['cname']) => ('error' in answer ? [] : [...answer]);

function stateOf(answer: CustomDomainDnsRecords['cname'], fits: (value: string) => boolean): DnsRecordState {
  if ('error' in answer) return NOTHING.has(answer.error) ? 'missing' : 'unanswered';
  if (answer.length === 0) return 'missing';
  return answer.some(fits) ? 'found' : 'different';
}
