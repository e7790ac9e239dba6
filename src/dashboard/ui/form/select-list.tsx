'use client';
import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { cn } from '../cn';
import { SELECT_TRIGGER_CLASS_NAMES, type SelectProps } from './select-props';

/**
 * The select after it was opened for the first time. Before that, select.tsx renders only a button.
 */
export function SelectList({
  value,
  onValueChange,
  options,
  placeholder,
  className,
  disabled,
  ...trigger
}: SelectProps) {
  return (
    <Radix.Root defaultOpen value={value} onValueChange={onValueChange} disabled={disabled}>
      <Radix.Trigger className={cn(SELECT_TRIGGER_CLASS_NAMES, className)} {...trigger}>
        <span className="truncate">
          <Radix.Value placeholder={placeholder} />
        </span>
        <ChevronDown className="size-4 shrink-0 text-ink-soft" aria-hidden />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-enter overflow-hidden rounded-lg border bg-raised p-1 shadow-overlay"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex cursor-default select-none items-center justify-between gap-4 rounded-md px-2.5 py-1.5 text-sm outline-none data-[highlighted]:bg-muted"
              >
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator>
                  <Check className="size-4 text-primary" aria-hidden />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
