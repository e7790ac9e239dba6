'use client';
import dynamic from 'next/dynamic';
import type { ComponentType } from 'react';
import { retryImport } from '../ui/lazy-component';
import type { SettingsSubpage } from './sections';

// The code of a section is loaded when the section is shown.
const CONTENT: Record<SettingsSubpage, ComponentType> = {
  members: dynamic(() => retryImport(() => import('./members-tab').then((file) => file.MembersTab))),
  plan: dynamic(() => retryImport(() => import('./plan-tab').then((file) => file.TeamPlanTab))),
  security: dynamic(() => retryImport(() => import('./security-tab').then((file) => file.SecurityTab))),
  sessions: dynamic(() => retryImport(() => import('./sessions-tab').then((file) => file.SessionsTab))),
  notifications: dynamic(() => retryImport(() => import('./notifications-tab').then((file) => file.NotificationsTab))),
  'audit-log': dynamic(() => retryImport(() => import('./audit-log/audit-log-tab').then((file) => file.AuditLogTab))),
  data: dynamic(() => retryImport(() => import('./data/data-tab').then((file) => file.DataExportAndErasureTab))),
};

export function SettingsSectionContent({ section }: { section: SettingsSubpage }) {
  const Content = CONTENT[section];
  return <Content />;
}
