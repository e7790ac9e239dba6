import { expect, it } from 'vitest';
import { isAllowedRedirectUri } from './redirect-uri.rules';

it.each([
  ...['http://assistant.example/cb', 'javascript:alert(1)', 'data:text/html,x', 'nonsense', 'file:///etc/passwd'],
  ...['blob:https://x.example/1', 'view-source:https://x.example', 'ms-msdt:/id', 'intent://x', 'mailto:a@b.example'],
  ...['https://user@assistant.example/cb', 'https://:pw@assistant.example/cb', 'http://user@localhost/cb'],
])('the redirect URI %s is refused', (uri) => expect(isAllowedRedirectUri(uri)).toBe(false));

it.each([
  ...['https://assistant.example/cb', 'http://localhost:3000/cb', 'http://127.0.0.1/cb', 'http://[::1]/cb'],
  ...['com.example.app:/cb', 'cursor://anysphere.cursor/cb'],
])('the redirect URI %s is allowed', (uri) => expect(isAllowedRedirectUri(uri)).toBe(true));
