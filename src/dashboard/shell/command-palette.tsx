'use client';
import { ArrowLeftRight, Keyboard, LogOut, Moon, Plus, Sun, Upload } from 'lucide-react';
import { useRouter } from 'next/navigation';
import type { Me } from '@/modules/accounts/schemas';
import { paths } from '../paths';
import { CommandMenu } from '../ui/overlay/command-menu';
import { navFor } from './nav';
import { setTheme, switchMode } from './preferences';
import { signOut } from './user-menu';

interface CommandPaletteProps {
  me: Me;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onShortcuts: () => void;
}

export function CommandPalette({ me, open, onOpenChange, onShortcuts }: CommandPaletteProps) {
  const router = useRouter();
  const other = me.mode === 'live' ? 'test' : 'live';
  const pages = navFor(me)
    .flatMap((group) => group.items)
    .map((item) => ({
      id: item.href,
      label: item.label,
      icon: item.icon,
      keywords: item.keywords,
      hint: item.shortcut ? `g ${item.shortcut}` : undefined,
      run: () => router.push(item.href),
    }));
  const commands = [
    {
      id: 'new',
      label: 'New reservation',
      icon: Plus,
      keywords: ['create', 'guest', 'booking'],
      hint: 'n',
      run: () => router.push(paths.new_reservation),
    },
    {
      id: 'import',
      label: 'Import reservations',
      icon: Upload,
      keywords: ['csv', 'file', 'spreadsheet'],
      run: () => router.push(paths.import_reservations),
    },
    { id: 'mode', label: `Switch to ${other} mode`, icon: ArrowLeftRight, run: () => switchMode(other) },
    { id: 'dark', label: 'Dark appearance', icon: Moon, keywords: ['theme'], run: () => setTheme('dark') },
    { id: 'light', label: 'Light appearance', icon: Sun, keywords: ['theme'], run: () => setTheme('light') },
    { id: 'keys', label: 'Keyboard shortcuts', icon: Keyboard, keywords: ['help'], hint: '?', run: onShortcuts },
    { id: 'out', label: 'Sign out', icon: LogOut, run: () => void signOut() },
  ];
  return (
    <CommandMenu
      open={open}
      onOpenChange={onOpenChange}
      groups={[
        { label: 'Go to', items: pages },
        { label: 'Do', items: commands },
      ]}
    />
  );
}
