'use client';
import { AssistantsCard } from './assistants-card';
import { SessionsCard } from './sessions-card';

export function SessionsTab() {
  return (
    <div className="grid gap-6">
      <SessionsCard />
      <AssistantsCard />
    </div>
  );
}
