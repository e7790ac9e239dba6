import { expect, it } from 'vitest';
import { SECURITY_GUARD_MUTATIONS } from '../../stress/mutation/guards';
import { findSourceFilesContainingText, findTestFilesByName } from '../../stress/mutation/sources';

it.each(SECURITY_GUARD_MUTATIONS.map((guard) => [guard.against, guard] as const))(
  'the guard against %s is found exactly once, with its tests',
  (_, guard) => {
    expect(findSourceFilesContainingText(guard.find)).toHaveLength(1);
    expect(findTestFilesByName(guard.tests).length).toBeGreaterThan(0);
  },
);
