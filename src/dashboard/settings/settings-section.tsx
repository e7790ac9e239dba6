'use client';
import dynamic from 'next/dynamic';
import type { ComponentType } from 'react';
import type { NamedSection } from './sections';

// Only the one that is shown is loaded.
const CONTENT: Record<NamedSection, ComponentType> = {
  members: dynamic(() => import('./members-tab').then((file) => file.MembersTab)),
  plan: dynamic(() => import('./plan-tab').then((file) => file.PlanTab)),
  security: dynamic(() => import('./security-tab').then((file) => file.SecurityTab)),
  sessions: dynamic(() => import('./sessions-tab').then((file) => file.SessionsTab)),
  'audit-log': dynamic(() => import('./audit-log/audit-log-tab').then((file) => file.AuditLogTab)),
  data: dynamic(() => import('./data/data-tab').then((file) => file.DataTab)),
};

export function SettingsSection({ section }: { section: NamedSection }) {
  const Content = CONTENT[section];
  return <Content />;
}
