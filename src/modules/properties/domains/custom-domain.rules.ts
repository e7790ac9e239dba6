/**
 * When a custom domain belongs to the property that claims it: its DNS says so, by a TXT record with a token that only
 * this property's host can see. The CNAME to our host brings the guests and proves nothing: it is the same for every
 * customer and often outlives the property it was made for, so that anybody could claim the domain it was left on. Pure.
 */

/** What has to be in the DNS. */
export interface DomainExpectation {
  domain: string;
  /** The host name a CNAME has to point to. */
  cname_target: string;
  txt_name: string;
  txt_value: string;
}

/** What the DNS answered; an error code (`ENOTFOUND`, `ETIMEOUT`) in place of records. */
export interface DomainRecords {
  cname: readonly string[] | { error: string };
  txt: readonly string[] | { error: string };
}

export type RecordState = 'found' | 'different' | 'missing' | 'unanswered';

export interface DomainVerdict {
  verified: boolean;
  cname: RecordState;
  txt: RecordState;
  /** What was there instead, for the host to compare. */
  found: { cname: string[]; txt: string[] };
}

/** The name of the record that proves a domain. */
export const txtName = (domain: string): string => `_threshold.${domain}`;

/** The DNS said clearly that there is nothing, in the codes of node:dns. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA', 'NXDOMAIN']);

const hostName = (name: string) => name.trim().toLowerCase().replace(/\.$/, '');

/** Judges the answers. The token alone is proof; a failing server is told apart from a missing record. */
export function judgeDomain(expected: DomainExpectation, records: DomainRecords): DomainVerdict {
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
