'use client';
import { createContext, type ReactNode, useContext } from 'react';
import type { Me } from '@/modules/accounts/schemas';
import { isRoleAllowed } from '@/shared/roles';

const MeContext = createContext<Me | null>(null);

export const MeProvider = ({ me, children }: { me: Me; children: ReactNode }) => (
  <MeContext.Provider value={me}>{children}</MeContext.Provider>
);

/** Returns the signed-in user with team and mode. Works only inside the dashboard's shell. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe is for pages inside the dashboard’s shell.');
  return me;
}

/**
 * Returns what the member's role may change in this mode. The server enforces these rights
 * (`src/api/roles.json`), and pages hide the actions that the server would refuse.
 */
export function usePermissions() {
  const { user, mode } = useMe();
  return {
    /** May change properties, house rules, calendars and imports. */
    manages: isRoleAllowed(user.role, mode, ['owner', 'manager']),
    /** May send, remind, correct and cancel reservations. */
    handles_guests: isRoleAllowed(user.role, mode, ['owner', 'manager', 'co_host']),
  };
}
