/** The sections of the dashboard, in the order of the sidebar and the command palette. */
import {
  Activity,
  AlarmClock,
  BadgeCheck,
  CalendarRange,
  CalendarSync,
  Home,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Mail,
  NotebookPen,
  ScrollText,
  Settings,
  Store,
  Webhook,
} from 'lucide-react';
import type { Me } from '@/modules/accounts/schemas';
import { isRoleAllowed } from '@/shared/roles';
import type { Role } from '@/shared/scope';
import type en from '../i18n/messages/en.json';
import { paths } from '../paths';

/** The message keys of section names. */
type NavWord = Extract<keyof (typeof en)['shell'], `nav_${string}`>;

export interface NavItem {
  roles?: readonly Role[];
  href: string;
  label: NavWord;
  icon: LucideIcon;
  keywords?: string[];
  /** The key that opens the section when it follows `g`. Null for sections that few users see. */
  shortcut: string | null;
}

export interface NavGroup {
  /** The roles that see the group. Undefined for all roles. */
  roles?: readonly Role[];
  label: NavWord | null;
  items: NavItem[];
}

export const TEAM_NAV_GROUPS: NavGroup[] = [
  {
    label: null,
    items: [
      { href: paths.home, label: 'nav_home', icon: Home, shortcut: 'h', keywords: ['overview', 'arrivals'] },
      {
        href: paths.reservations,
        label: 'nav_reservations',
        icon: NotebookPen,
        shortcut: 'r',
        keywords: ['guests', 'bookings'],
      },
      {
        href: paths.stay_calendar,
        label: 'nav_calendar',
        icon: CalendarRange,
        shortcut: 'd',
        keywords: ['stays', 'days', 'timeline', 'occupancy', 'agenda'],
      },
      {
        href: paths.properties,
        label: 'nav_properties',
        icon: Store,
        shortcut: 'p',
        keywords: ['listings', 'packets', 'rules'],
      },
      {
        href: paths.certificates,
        label: 'nav_certificates',
        roles: ['owner', 'manager', 'co_host'],
        icon: BadgeCheck,
        shortcut: 'c',
        keywords: ['signatures', 'pdf'],
      },
      {
        href: paths.calendars,
        label: 'nav_calendars',
        icon: CalendarSync,
        shortcut: 'l',
        keywords: ['calendars', 'sync', 'ical', 'channels'],
      },
      {
        href: paths.outbox,
        label: 'nav_outbox',
        icon: Mail,
        shortcut: 'm',
        keywords: ['mail', 'e-mail', 'reminders'],
        roles: ['owner', 'manager'],
      },
    ],
  },
  {
    label: 'nav_developers',
    roles: ['owner', 'manager', 'developer'],
    items: [
      {
        href: paths.api_keys,
        label: 'nav_api_keys',
        icon: KeyRound,
        shortcut: 'k',
        keywords: ['tokens', 'secrets', 'rotate'],
      },
      {
        href: paths.webhooks,
        label: 'nav_webhooks',
        icon: Webhook,
        shortcut: 'w',
        keywords: ['endpoints', 'deliveries'],
      },
      {
        href: paths.test_clocks,
        label: 'nav_test_clocks',
        icon: AlarmClock,
        shortcut: 'z',
        keywords: ['time', 'advance', 'test mode'],
      },
      { href: paths.events, label: 'nav_events', icon: Activity, shortcut: 'e', keywords: ['payloads', 'outbox'] },
      {
        href: paths.logs,
        label: 'nav_request_log',
        icon: ScrollText,
        shortcut: 'o',
        keywords: ['requests', 'errors', 'api'],
      },
    ],
  },
  {
    label: 'nav_account',
    items: [
      {
        href: paths.settings,
        label: 'nav_settings',
        icon: Settings,
        shortcut: 's',
        keywords: ['team', 'members', 'plan', 'sessions', 'audit log', 'export'],
      },
    ],
  },
];

/** Pages about the whole installation instead of a team. */
const OPERATOR: NavGroup = {
  label: 'nav_operator',
  items: [
    {
      href: paths.runs,
      label: 'nav_background_work',
      icon: ListChecks,
      shortcut: null,
      keywords: ['runs', 'functions', 'engine', 'jobs'],
    },
  ],
};

/** All sections of the dashboard, whatever the user's role. */
export const ALL_NAV_GROUPS: NavGroup[] = [...TEAM_NAV_GROUPS, OPERATOR];

/** Returns the sections that a user sees. */
export function getNavGroups({ operator, user, mode }: Pick<Me, 'operator' | 'user' | 'mode'>): NavGroup[] {
  const seen = ({ roles }: { roles?: readonly Role[] }) => !roles || isRoleAllowed(user.role, mode, roles);
  return (operator ? ALL_NAV_GROUPS : TEAM_NAV_GROUPS)
    .filter(seen)
    .map((group) => ({ ...group, items: group.items.filter(seen) }));
}

/**
 * Returns whether a page belongs to a section: its path equals the section's path or is below it.
 */
export function isPathInSection(pathname: string, href: string): boolean {
  return href === paths.home ? pathname === href : pathname === href || pathname.startsWith(`${href}/`);
}
