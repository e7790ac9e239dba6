import { expect, it } from 'vitest';
import { GUARDS } from '../../stress/mutation/guards';
import { filesWith, testsNamed } from '../../stress/mutation/sources';

it.each(GUARDS.map((guard) => [guard.against, guard] as const))(
  'the guard against %s stands where it is looked for',
  (_, guard) => {
    expect(filesWith(guard.find)).toHaveLength(1);
    expect(testsNamed(guard.tests).length).toBeGreaterThan(0);
  },
);
