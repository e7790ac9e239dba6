'use client';
import { ConnectedAssistantsCard } from './assistants-card';
import { SessionsCard } from './sessions-card';

export function SessionsTab() {
  return (
    <div className="grid gap-6">
      <SessionsCard />
      <ConnectedAssistantsCard />
    </div>
  );
}
