import { expect, it } from 'vitest';
import { normalizeMailboxAddress } from './mailbox';

it.each([
  ['Ada@Example.com', 'ada@example.com'],
  ['ada+1@example.com', 'ada@example.com'],
  ['ada+a+b@example.com', 'ada@example.com'],
  ['ada@ex+ample.com', 'ada@ex+ample.com'],
])('%s belongs to the mailbox %s', (address, mailbox) => expect(normalizeMailboxAddress(address)).toBe(mailbox));
