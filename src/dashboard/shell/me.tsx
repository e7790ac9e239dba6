'use client';
import { createContext, type ReactNode, useContext } from 'react';
import type { Me } from '@/modules/accounts/schemas';
import { hasRole } from '@/shared/roles';

const MeContext = createContext<Me | null>(null);

export const MeProvider = ({ me, children }: { me: Me; children: ReactNode }) => (
  <MeContext.Provider value={me}>{children}</MeContext.Provider>
);

/** The signed-in user with team and mode. Available only inside the dashboard's shell. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe is for pages inside the dashboard’s shell.');
  return me;
}

/**
 * What the member's role may change in this mode. The server decides (`src/api/roles.json`); pages
 * hide what it would refuse.
 */
export function usePermissions() {
  const { user, mode } = useMe();
  return {
    /** Properties, house rules, calendars and imports. */
    manages: hasRole(user.role, mode, ['owner', 'manager']),
    /** Reservations: send, remind, correct, cancel. */
    handles_guests: hasRole(user.role, mode, ['owner', 'manager', 'co_host']),
  };
}
