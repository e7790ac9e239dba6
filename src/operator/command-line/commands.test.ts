import { describe, expect, test } from 'vitest';
import { parseOperatorCommand, UsageError } from './commands';

const words = (line: string) => line.split(' ').filter(Boolean);
const parse = (line: string) => parseOperatorCommand(words(line), '/home/op');
const withPassword = (line: string) => parseOperatorCommand(words(line), '/home/op', { owner_password: 'p' });

describe('a command line is parsed into a command', () => {
  test.each([
    [
      'team create --name N --owner-email a@b.co',
      { name: 'team create', options: { name: 'N', owner_email: 'a@b.co', owner_password: 'p', plan: 'pro' } },
    ],
    [
      'team create --plan=free --name=N --owner-email=a@b.co',
      { name: 'team create', options: { name: 'N', owner_email: 'a@b.co', owner_password: 'p', plan: 'free' } },
    ],
    ['team set-plan --team team_1 --plan free', { name: 'team set-plan', options: { team: 'team_1', plan: 'free' } }],
    [
      'key create --team team_1 --mode test',
      { name: 'key create', options: { team: 'team_1', mode: 'test', name: 'Operator key' } },
    ],
    [
      'key create --team team_1 --mode live --name K --scopes properties:read,webhooks:write --ip-allow 10.0.0.0/8,::1',
      {
        name: 'key create',
        options: {
          team: 'team_1',
          mode: 'live',
          name: 'K',
          scopes: ['properties:read', 'webhooks:write'],
          ip_allow: ['10.0.0.0/8', '::1'],
        },
      },
    ],
    ['key revoke --key key_1', { name: 'key revoke', options: { key: 'key_1' } }],
    [
      'sync-source create --property prop_1 --kind forward_email',
      { name: 'sync-source create', options: { property: 'prop_1', kind: 'forward_email' } },
    ],
    ['certificate verify a.pdf', { name: 'certificate verify', options: { file: '/home/op/a.pdf' } }],
    [
      'certificate verify --certificate /keys/c.pem a.pdf',
      { name: 'certificate verify', options: { file: '/home/op/a.pdf', certificate: '/keys/c.pem' } },
    ],
    ['doctor', { name: 'doctor', options: {} }],
    ['team list', { name: 'team list', options: { limit: 100 } }],
    [
      'key list --team team_1 --mode live --limit 5',
      { name: 'key list', options: { team: 'team_1', mode: 'live', limit: 5 } },
    ],
    ['endpoint list', { name: 'endpoint list', options: { limit: 100 } }],
    ['sync-source list --mode test', { name: 'sync-source list', options: { mode: 'test', limit: 100 } }],
    ['completion zsh', { name: 'completion', options: { shell: 'zsh' } }],
    ['status', { name: 'status', options: {} }],
    ['storage move --to s3', { name: 'storage move', options: { to: 's3', after: '' } }],
    ['storage move --to database --after sig_1', { name: 'storage move', options: { to: 'database', after: 'sig_1' } }],
    ['seal-key import old.pem', { name: 'seal-key import', options: { file: '/home/op/old.pem' } }],
    ['seal-key retire', { name: 'seal-key retire', options: {} }],
    ['backup --out b.tar', { name: 'backup', options: { out: '/home/op/b.tar' } }],
    ['backup verify b.tar', { name: 'backup verify', options: { file: '/home/op/b.tar' } }],
    ['restore --in /x/b.tar', { name: 'restore', options: { in: '/x/b.tar' } }],
  ])('%s', (line, command) => {
    expect((line.startsWith('team create') ? withPassword : parse)(line)).toEqual(command);
  });
});

describe('an invalid command line is rejected in one line that names the problem', () => {
  test.each([
    ['', 'Name a command'],
    ['team', 'no command "team"'],
    ['team destroy', 'no command "team destroy"'],
    ['team create --name N', '--owner-email is missing'],
    ['team create --name= --owner-email a@b.co', '--name is empty'],
    ['team create --name N --owner-email a@b.co --owner-password p', "Unknown option '--owner-password'"],
    ['team create --nam N', "Unknown option '--nam'"],
    ['storage move --to tape', '--to must be database or s3'],
    ['team set-plan --team team_1 --plan gold', '--plan must be pro or free'],
    ['certificate verify', 'The file is missing'],
    ['seal-key import', 'The file is missing'],
    ['certificate verify a.pdf b.pdf', 'One file at a time'],
    ['key create --team team_1', '--mode is missing'],
    ['key create --team team_1 --mode prod', '--mode must be live or test'],
    // An empty list must not create a key with every scope.
    ['key create --team team_1 --mode live --scopes=', '--scopes'],
    ['key create --team team_1 --mode live --scopes a,,b', '--scopes'],
    ['sync-source create --property prop_1 --kind ical', '--kind must be one of'],
    ['backup', '--out is missing'],
    ['team list --limit 0', '--limit'],
    ['completion', 'The shell is missing'],
    ['completion fish', 'must be bash or zsh'],
    ['key revoke --key key_1 extra', "Unexpected argument 'extra'"],
  ])('%s', (line, message) => {
    const error = (() => {
      try {
        return parse(line);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('\n');
  });
});

test('a password is requested only once everything else is valid', () => {
  const missing = (line: string) => {
    try {
      parse(line);
      return null;
    } catch (error) {
      return (error as UsageError).missing;
    }
  };
  expect(missing('team create --name N --owner-email a@b.co')).toBe('owner_password');
  expect(missing('team create --name N')).toBe('owner_email');
  expect(missing('team create --name N --owner-email a@b.co --plan gold')).toBeUndefined();
});
