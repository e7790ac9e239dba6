import type { ComponentType } from 'react';
import { AuditLogTab } from './audit-log/audit-log-tab';
import { DataTab } from './data/data-tab';
import { MembersTab } from './members-tab';
import { PlanTab } from './plan-tab';
import type { SectionName } from './sections';
import { SecurityTab } from './security-tab';
import { SessionsTab } from './sessions-tab';

type Named = Exclude<SectionName, 'team'>;

const CONTENT: Record<Named, ComponentType> = {
  members: MembersTab,
  plan: PlanTab,
  security: SecurityTab,
  sessions: SessionsTab,
  'audit-log': AuditLogTab,
  data: DataTab,
};

export const isSettingsSection = (name: string): name is Named => Object.hasOwn(CONTENT, name);

export function SettingsSection({ section }: { section: Named }) {
  const Content = CONTENT[section];
  return <Content />;
}
