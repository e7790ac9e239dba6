'use client';
import { Braces } from 'lucide-react';
import type { ComponentProps, RefObject } from 'react';
import { useTranslations } from 'use-intl/react';
import { GUEST_TEXT_SHORT_CODES, type GuestTextShortCode } from '@/shared/guest-text/short-codes';
import { Button } from '../../ui/button';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/overlay/dropdown-menu';

const CODES = Object.keys(GUEST_TEXT_SHORT_CODES) as GuestTextShortCode[];

interface ShortCodeMenuProps
  extends Pick<ComponentProps<typeof Button>, 'size' | 'className' | 'disabled' | 'children'> {
  /** The name of the text field, for the button's label. */
  into: string;
  area: RefObject<HTMLTextAreaElement | null>;
  value: string;
  onChange: (value: string) => void;
}

/** The button that inserts a short code into a text field, at the cursor. */
export function ShortCodeMenu({ into, area, value, onChange, children, ...button }: ShortCodeMenuProps) {
  const t = useTranslations('packets');
  const insert = (code: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = area.current ?? {};
    const text = `{{${code}}}`;
    onChange(value.slice(0, selectionStart) + text + value.slice(selectionEnd));
    // Waits until the menu is closed and the new text is rendered.
    setTimeout(() => {
      area.current?.focus();
      area.current?.setSelectionRange(selectionStart + text.length, selectionStart + text.length);
    }, 50);
  };
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button {...button} variant="ghost" aria-label={t('insert_a_short_code_into_into', { into })}>
          <Braces aria-hidden />
          {children}
        </Button>
      </MenuTrigger>
      <MenuContent align="end" onCloseAutoFocus={(event) => event.preventDefault()}>
        {CODES.map((code) => (
          <MenuItem key={code} onSelect={() => insert(code)}>
            <span className="grid">
              <span>{t(`code_${code}`)}</span>
              <span className="text-ink-soft text-xs">
                <code className="font-mono">{`{{${code}}}`}</code> · {GUEST_TEXT_SHORT_CODES[code].example}
              </span>
            </span>
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}
