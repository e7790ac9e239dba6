/** The sections of the dashboard, in the order of the sidebar; the command palette lists the same. */
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
import { paths } from '../paths';

export interface NavItem {
  href: string;
  label: string;
  icon: LucideIcon;
  keywords?: string[];
  /** The letter that leads here after g; each section has its own. Null for what only few see. */
  shortcut: string | null;
}

export interface NavGroup {
  label: string | null;
  items: NavItem[];
}

export const NAV: NavGroup[] = [
  {
    label: null,
    items: [
      { href: paths.home, label: 'Home', icon: Home, shortcut: 'h', keywords: ['overview', 'arrivals'] },
      {
        href: paths.reservations,
        label: 'Reservations',
        icon: NotebookPen,
        shortcut: 'r',
        keywords: ['guests', 'bookings'],
      },
      {
        href: paths.stay_calendar,
        label: 'Calendar',
        icon: CalendarRange,
        shortcut: 'd',
        keywords: ['stays', 'days', 'timeline', 'occupancy', 'agenda'],
      },
      {
        href: paths.properties,
        label: 'Properties',
        icon: Store,
        shortcut: 'p',
        keywords: ['listings', 'packets', 'rules'],
      },
      {
        href: paths.certificates,
        label: 'Certificates',
        icon: BadgeCheck,
        shortcut: 'c',
        keywords: ['signatures', 'pdf'],
      },
      {
        href: paths.calendars,
        label: 'Calendar feeds',
        icon: CalendarSync,
        shortcut: 'l',
        keywords: ['calendars', 'sync', 'ical', 'channels'],
      },
      { href: paths.outbox, label: 'Outbox', icon: Mail, shortcut: 'm', keywords: ['mail', 'e-mail', 'reminders'] },
    ],
  },
  {
    label: 'Developers',
    items: [
      {
        href: paths.api_keys,
        label: 'API keys',
        icon: KeyRound,
        shortcut: 'k',
        keywords: ['tokens', 'secrets', 'rotate'],
      },
      { href: paths.webhooks, label: 'Webhooks', icon: Webhook, shortcut: 'w', keywords: ['endpoints', 'deliveries'] },
      {
        href: paths.test_clocks,
        label: 'Test clocks',
        icon: AlarmClock,
        shortcut: 'z',
        keywords: ['time', 'advance', 'test mode'],
      },
      { href: paths.events, label: 'Events', icon: Activity, shortcut: 'e', keywords: ['payloads', 'outbox'] },
      {
        href: paths.logs,
        label: 'Request log',
        icon: ScrollText,
        shortcut: 'o',
        keywords: ['requests', 'errors', 'api'],
      },
    ],
  },
  {
    label: 'Account',
    items: [
      {
        href: paths.settings,
        label: 'Settings',
        icon: Settings,
        shortcut: 's',
        keywords: ['team', 'members', 'plan', 'sessions', 'audit log', 'export'],
      },
    ],
  },
];

/** Of the installation, not of a team. */
const OPERATOR: NavGroup = {
  label: 'Operator',
  items: [
    {
      href: paths.runs,
      label: 'Background work',
      icon: ListChecks,
      shortcut: null,
      keywords: ['runs', 'functions', 'engine', 'jobs'],
    },
  ],
};

/** The sections that someone sees. */
export const navFor = (me: Pick<Me, 'operator'>): NavGroup[] => (me.operator ? [...NAV, OPERATOR] : NAV);

/** Whether a page belongs to a section: its own path or one below it. */
export function isInSection(pathname: string, href: string): boolean {
  return href === paths.home ? pathname === href : pathname === href || pathname.startsWith(`${href}/`);
}
