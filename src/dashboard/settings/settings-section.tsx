'use client';
import dynamic from 'next/dynamic';
import type { ComponentType } from 'react';
import { keepTrying } from '../ui/later';
import type { NamedSection } from './sections';

// Only the one that is shown is loaded.
const CONTENT: Record<NamedSection, ComponentType> = {
  members: dynamic(() => keepTrying(() => import('./members-tab').then((file) => file.MembersTab))),
  plan: dynamic(() => keepTrying(() => import('./plan-tab').then((file) => file.PlanTab))),
  security: dynamic(() => keepTrying(() => import('./security-tab').then((file) => file.SecurityTab))),
  sessions: dynamic(() => keepTrying(() => import('./sessions-tab').then((file) => file.SessionsTab))),
  notifications: dynamic(() => keepTrying(() => import('./notifications-tab').then((file) => file.NotificationsTab))),
  'audit-log': dynamic(() => keepTrying(() => import('./audit-log/audit-log-tab').then((file) => file.AuditLogTab))),
  data: dynamic(() => keepTrying(() => import('./data/data-tab').then((file) => file.DataTab))),
};

export function SettingsSection({ section }: { section: NamedSection }) {
  const Content = CONTENT[section];
  return <Content />;
}
