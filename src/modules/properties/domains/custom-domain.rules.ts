/**
 * Rules for custom domains. A domain belongs to the property whose token is in its TXT record,
 * because only that property's host can see the token. The CNAME to our host directs guests but
 * proves nothing: it is the same for all customers and often outlives the property, so anyone could
 * claim the domain. Pure.
 */

/** The records that the DNS should have. */
export interface DomainExpectation {
  domain: string;
  /** The host name a CNAME has to point to. */
  cname_target: string;
  txt_name: string;
  txt_value: string;
}

/** Records from the DNS, or an error code (`ENOTFOUND`, `ETIMEOUT`). */
export interface DomainRecords {
  cname: readonly string[] | { error: string };
  txt: readonly string[] | { error: string };
}

export type RecordState = 'found' | 'different' | 'missing' | 'unanswered';

export interface DomainVerdict {
  verified: boolean;
  cname: RecordState;
  txt: RecordState;
  /** Other records that were found, for the host to compare. */
  found: { cname: string[]; txt: string[] };
}

/** Returns the name of the TXT record. */
export const getTxtRecordName = (domain: string): string => `_threshold.${domain}`;

/** Error codes of node:dns that mean a missing record. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA', 'NXDOMAIN']);

const hostName = (name: string) => name.trim().toLowerCase().replace(/\.$/, '');

/**
 * Judges the records. The token alone is proof. A failing DNS server is distinguished from a
 * missing record.
 */
export function checkDomainRecords(expected: DomainExpectation, records: DomainRecords): DomainVerdict {
  const cname = stateOf(records.cname, (name) => hostName(name) === hostName(expected.cname_target));
  const txt = stateOf(records.txt, (text) => text.trim() === expected.txt_value);
  return {
    verified: txt === 'found',
    cname,
    txt,
    found: { cname: valuesOf(records.cname), txt: valuesOf(records.txt) },
  };
}

const valuesOf = (answer: DomainRecords['cname']) => ('error' in answer ? [] : [...answer]);

function stateOf(answer: DomainRecords['cname'], fits: (value: string) => boolean): RecordState {
  if ('error' in answer) return NOTHING.has(answer.error) ? 'missing' : 'unanswered';
  if (answer.length === 0) return 'missing';
  return answer.some(fits) ? 'found' : 'different';
}
