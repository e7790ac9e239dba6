import { expect, it } from 'vitest';
import { judgeDomain, txtName } from './custom-domain.rules';

const EXPECTED = {
  domain: 'stay.casa.example',
  cname_target: 'app.threshold.example',
  txt_name: txtName('stay.casa.example'),
  txt_value: 'threshold-verify=token',
};
const OTHERS = ['v=spf1 -all'];

it('the token stands under a name of its own', () => {
  expect(EXPECTED.txt_name).toBe('_threshold.stay.casa.example');
});

it.each([
  ['both are there', ['app.threshold.example'], ['threshold-verify=token'], true, 'found', 'found'],
  ['spelt otherwise', ['APP.Threshold.example. '], [...OTHERS, ' threshold-verify=token '], true, 'found', 'found'],
  ['the token alone is proof', [], ['threshold-verify=token'], true, 'missing', 'found'],
  ['the alias alone is none', ['app.threshold.example'], [], false, 'found', 'missing'],
  ['another’s token', ['app.threshold.example'], ['threshold-verify=other'], false, 'found', 'different'],
  ['another host', ['app.threshold.example.evil.example'], OTHERS, false, 'different', 'different'],
] as const)('%s', (_name, cname, txt, verified, cname_state, txt_state) => {
  expect(judgeDomain(EXPECTED, { cname, txt })).toEqual({
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
])('a DNS that answers %s says that a record is %s', (error, state) => {
  expect(judgeDomain(EXPECTED, { cname: { error }, txt: { error } })).toEqual({
    verified: false,
    cname: state,
    txt: state,
    found: { cname: [], txt: [] },
  });
});
