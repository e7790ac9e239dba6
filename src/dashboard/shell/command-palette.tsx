'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  ArrowLeftRight,
  BadgeCheck,
  Coins,
  Forward,
  Hash,
  Keyboard,
  LogOut,
  type LucideIcon,
  Moon,
  NotebookPen,
  Plus,
  Store,
  Sun,
  Upload,
  UserPlus,
  UserX,
  Zap,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Me } from '@/modules/accounts/schemas';
import { useFormattingLocale } from '../i18n/formats';
import { paths } from '../paths';
import { useTRPC } from '../trpc';
import { CommandMenu } from '../ui/overlay/command-menu';
import { usePermissions } from './me';
import { getNavGroups } from './nav';
import { findPageActionButtons, type PageHeaderAction } from './page-actions';
import { setTheme, switchLiveOrTestMode } from './preferences';
import { buildSearchResultGroups, isCommandMatchingTypedText, type SearchResultGroup } from './search/results';
import { signOut } from './user-menu';

interface CommandPaletteProps {
  me: Me;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onShortcuts: () => void;
  /** Returns the text that the user typed before the palette was loaded. */
  takeTyped: () => string;
}

const TYPING_MS = 120;
const ICONS: Record<SearchResultGroup['kind'], LucideIcon> = {
  reservation: NotebookPen,
  certificate: BadgeCheck,
  property: Store,
  id: Hash,
};

/**
 * Searches the team's data when typing pauses. Shows the previous results until new results arrive.
 */
function useSearch(typed: string) {
  const t = useTranslations('shell');
  const formats = useFormattingLocale();
  const trpc = useTRPC();
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const asked = text.length > 1 && typed.trim().length > 1;
  const query = useQuery(
    trpc.search.everything.queryOptions(
      { text: text.slice(0, 200) },
      { enabled: asked, placeholderData: keepPreviousData, staleTime: 30_000 },
    ),
  );
  return {
    groups: asked ? buildSearchResultGroups(query.data, t, formats) : [],
    searching: asked && (query.isFetching || text !== typed.trim()),
  };
}

/** Searches guests, certificates, properties and ids, and lists pages and commands. */
export function CommandPalette({ me, open, onOpenChange, onShortcuts, takeTyped }: CommandPaletteProps) {
  const t = useTranslations('shell');
  const [typed, setTyped] = useState('');
  useEffect(() => setTyped(takeTyped()), [takeTyped]);
  const { groups, searching } = useSearch(open ? typed : '');
  const commands = [{ label: t('on_this_page'), items: usePageActions(open) }, ...useCommands(me, onShortcuts)];
  const router = useRouter();
  const found = groups.map(({ label, kind, lines }) => ({
    label,
    items: lines.map(({ id, href, ...line }) => ({ id, ...line, icon: ICONS[kind], run: () => router.push(href) })),
  }));
  const meant = commands
    .map(({ label, items }) => ({
      label,
      items: items.filter((item) => isCommandMatchingTypedText(typed, item.label, item.keywords)),
    }))
    .filter(({ items }) => items.length > 0);
  return (
    <CommandMenu
      open={open}
      onOpenChange={(next) => {
        if (!next) setTyped('');
        onOpenChange(next);
      }}
      text={typed}
      onType={setTyped}
      placeholder={t('guest_booking_code_property_id_page')}
      busy={searching}
      empty={searching ? t('searching') : t('nothing_by_that_name')}
      groups={[...found, ...meant]}
    />
  );
}

/** Returns the page's actions at the time when the palette opens. */
function usePageActions(open: boolean): Command[] {
  const [actions, setActions] = useState<PageHeaderAction[]>([]);
  useEffect(() => {
    if (open) setActions(findPageActionButtons());
  }, [open]);
  return actions.map(({ label, press }) => ({ id: `page ${label}`, label, icon: Zap, run: press }));
}

interface Command {
  id: string;
  label: string;
  icon: LucideIcon;
  /** Additional search terms. */
  keywords?: string[];
  hint?: string;
  run: () => void;
}

function useCommands(me: Me, onShortcuts: () => void) {
  const t = useTranslations('shell');
  const router = useRouter();
  const { manages, handles_guests } = usePermissions();
  const other = me.mode === 'live' ? 'test' : 'live';
  const pages = getNavGroups(me)
    .flatMap((group) => group.items)
    .map((item) => ({
      id: item.href,
      label: t(item.label),
      icon: item.icon,
      keywords: item.keywords,
      hint: item.shortcut ? `g ${item.shortcut}` : undefined,
      run: () => router.push(item.href),
    }));
  const create: Command = {
    id: 'new',
    label: t('new_reservation'),
    icon: Plus,
    keywords: ['create', 'guest', 'booking'],
    hint: 'n',
    run: () => router.push(paths.new_reservation),
  };
  const managing: Command[] = [
    {
      id: 'import',
      label: t('import_reservations'),
      icon: Upload,
      keywords: ['csv', 'file', 'spreadsheet'],
      run: () => router.push(paths.import_reservations),
    },
    {
      id: 'copy-rules',
      label: t('copy_rules_to_other_properties'),
      icon: Forward,
      keywords: ['push', 'packet', 'fees'],
      run: () => router.push(paths.copy_rules),
    },
    {
      id: 'change-everywhere',
      label: t('change_everywhere'),
      icon: Coins,
      keywords: ['amount', 'price', 'packet'],
      run: () => router.push(paths.change_everywhere),
    },
    {
      id: 'erase-guest',
      label: t('erase_a_guest'),
      icon: UserX,
      keywords: ['delete', 'gdpr', 'privacy', 'forget'],
      run: () => router.push(paths.settings_section('data')),
    },
  ];
  const invite: Command = {
    id: 'invite',
    label: t('invite_someone'),
    icon: UserPlus,
    keywords: ['member', 'co-host', 'cleaner', 'team', 'role'],
    run: () => router.push(paths.settings_section('members')),
  };
  const commands: Command[] = [
    ...(handles_guests ? [create] : []),
    ...(manages ? managing : []),
    ...(me.user.role === 'owner' ? [invite] : []),
    {
      id: 'mode',
      label: t(other === 'live' ? 'switch_to_live_mode' : 'switch_to_test_mode'),
      icon: ArrowLeftRight,
      run: () => switchLiveOrTestMode(other),
    },
    { id: 'dark', label: t('dark_appearance'), icon: Moon, keywords: ['theme'], run: () => setTheme('dark') },
    { id: 'light', label: t('light_appearance'), icon: Sun, keywords: ['theme'], run: () => setTheme('light') },
    { id: 'keys', label: t('keyboard_shortcuts'), icon: Keyboard, keywords: ['help'], hint: '?', run: onShortcuts },
    { id: 'out', label: t('sign_out'), icon: LogOut, run: () => void signOut() },
  ];
  return [
    { label: t('go_to'), items: pages },
    { label: t('do'), items: commands },
  ];
}
