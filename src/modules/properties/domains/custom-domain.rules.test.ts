import { expect, it } from 'vitest';
import { checkDomainDnsRecords, getTxtRecordName } from './custom-domain.rules';

const EXPECTED = {
  domain: 'stay.casa.example',
  cname_target: 'app.threshold.example',
  txt_name: getTxtRecordName('stay.casa.example'),
  txt_value: 'threshold-verify=token',
};
const OTHERS = ['v=spf1 -all'];

it('the TXT record of the token has its own name', () => {
  expect(EXPECTED.txt_name).toBe('_threshold.stay.casa.example');
});

it.each([
  ['both records', ['app.threshold.example'], ['threshold-verify=token'], true, 'found', 'found'],
  [
    'records in other case and with spaces',
    ['APP.Threshold.example. '],
    [...OTHERS, ' threshold-verify=token '],
    true,
    'found',
    'found',
  ],
  ['the token alone', [], ['threshold-verify=token'], true, 'missing', 'found'],
  ['the CNAME alone', ['app.threshold.example'], [], false, 'found', 'missing'],
  ['another’s token', ['app.threshold.example'], ['threshold-verify=other'], false, 'found', 'different'],
  ['another host', ['app.threshold.example.evil.example'], OTHERS, false, 'different', 'different'],
] as const)('%s in the DNS: verified $3', (_name, cname, txt, verified, cname_state, txt_state) => {
  expect(checkDomainDnsRecords(EXPECTED, { cname, txt })).toEqual({
    verified,
    cname: cname_state,
    txt: txt_state,
    found: { cname: [...cname], txt: [...txt] },
  });
});

it.each([
  ['ENOTFOUND', 'missing'],
  ['ENODATA', 'missing'],
  ['NXDOMAIN', 'missing'],
  ['ETIMEOUT', 'unanswered'],
  ['ESERVFAIL', 'unanswered'],
])('the DNS error %s means that a record is %s', (error, state) => {
  expect(checkDomainDnsRecords(EXPECTED, { cname: { error }, txt: { error } })).toEqual({
    verified: false,
    cname: state,
    txt: state,
    found: { cname: [], txt: [] },
  });
});
