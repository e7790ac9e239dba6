'use client';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { cn } from '../cn';
import { Menu, MenuCheckboxItem, MenuContent, MenuSeparator, MenuTrigger } from '../overlay/dropdown-menu';
import { SELECT_TRIGGER_CLASS_NAMES, type SelectOption } from './select-props';

interface MultiSelectProps {
  label: string;
  /** The text shown when nothing is selected. */
  any: string;
  values: readonly string[];
  options: readonly SelectOption[];
  /** Groups that select several options at once, listed above the options. */
  groups?: readonly { label: string; values: readonly string[] }[];
  onChange: (values: string[]) => void;
  className?: string;
}

/** A select for any number of values. The list stays open after a choice. */
export function MultiSelect({
  label,
  any,
  values: given,
  options,
  groups = [],
  onChange,
  className,
}: MultiSelectProps) {
  const t = useTranslations('ui');
  // The choice while the list is open. The caller may update `values` with a delay.
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const values = chosen ?? given;
  const has = (all: readonly string[]) => all.every((value) => values.includes(value));
  const toggle = (some: readonly string[]) => {
    const others = values.filter((value) => !some.includes(value));
    const next = has(some) ? others : [...others, ...some];
    setChosen(next);
    onChange(next);
  };
  const group = groups.find((each) => each.values.length === values.length && has(each.values));
  const named = options.filter(({ value }) => values.includes(value)).map((option) => option.label);
  const text = group?.label ?? (named.length > 2 ? t('count_chosen', { count: named.length }) : named.join(', ')) ?? '';
  const box = (name: string, some: readonly string[]) => (
    <MenuCheckboxItem key={name} checked={has(some)} onCheckedChange={() => toggle(some)}>
      {name}
    </MenuCheckboxItem>
  );
  return (
    <Menu onOpenChange={(open) => setChosen(open ? given : null)}>
      <MenuTrigger aria-label={`${label}: ${text || any}`} className={cn(SELECT_TRIGGER_CLASS_NAMES, className)}>
        <span className="truncate">{text || any}</span>
        <ChevronDown className="size-4 shrink-0 text-ink-soft" aria-hidden />
      </MenuTrigger>
      <MenuContent
        align="start"
        sideOffset={4}
        className="max-h-(--radix-dropdown-menu-content-available-height) min-w-(--radix-dropdown-menu-trigger-width)! overflow-y-auto"
      >
        {groups.map((each) => box(each.label, each.values))}
        {groups.length > 0 ? <MenuSeparator /> : null}
        {options.map((option) => box(option.label, [option.value]))}
      </MenuContent>
    </Menu>
  );
}
