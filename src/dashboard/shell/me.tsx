'use client';
import { createContext, type ReactNode, useContext } from 'react';
import type { Me } from '@/modules/accounts/schemas';

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
