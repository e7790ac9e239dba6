'use client';
import { ListChecks, Plus } from 'lucide-react';
import { memo, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../ui/button';
import { Card, CardHeader } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { Input } from '../../ui/form/input';
import { lazyComponent } from '../../ui/lazy-component';
import { toast } from '../../ui/overlay/toaster';
import { moveListItem, type PacketDraftRule } from './draft';
import { PacketItemRowTextArea } from './rows/row-text';
import {
  editListItem,
  insertListItemsAfter,
  reinsertListItem,
  removeListItem,
  splitPastedHouseRules,
} from './rows/rows';
import { SortableList } from './rows/sortable';
import { SUGGESTED_PACKET_RULES } from './rows/starter';
import type { EditorSectionProps } from './section';
import { createRuleOrFeeId } from './section';

const StarterDialog = lazyComponent(() =>
  import('./rows/starter-dialog').then((file) => file.AddSuggestedPacketItemsDialog),
);

/** Categories that are translated for guests. Any other category is shown as the host wrote it. */
const CATEGORIES = [
  'Access',
  'Check-in',
  'Check-out',
  'Guests',
  'Noise',
  'Parking',
  'Parties',
  'Pets',
  'Pool',
  'Safety',
  'Smoking',
  'Trash',
  'Damage',
] as const;
const MAX_RULES = 200;
const LONGEST = 500;

const newRule = (text: string, category: string): PacketDraftRule => ({
  id: createRuleOrFeeId('rule'),
  text,
  category,
});

interface RulesSectionProps extends Pick<EditorSectionProps, 'change' | 'errors' | 'disabled'> {
  rules: readonly PacketDraftRule[];
}

export const RulesSection = memo(function RulesSection({ rules, change, errors, disabled }: RulesSectionProps) {
  const t = useTranslations('packets');
  const categories = useId();
  const section = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string | null>(null);
  const [starting, setStarting] = useState(false);
  /** The id of the row that was just added. The row gets the focus when it is rendered. */
  const [added, setAdded] = useState<string | null>(null);
  useEffect(() => {
    if (!added) return;
    const row = section.current?.querySelector(`[data-id="${CSS.escape(added)}"] [data-row-text]`);
    (row as HTMLElement | null)?.focus();
    setAdded(null);
  }, [added]);

  const on = useMemo(() => {
    const addAfter = (id: string, texts: readonly string[], category: string) => {
      const more = texts.map((text) => newRule(text, category));
      change(({ rules: now }) => ({ rules: insertListItemsAfter(now, id, more.slice(0, MAX_RULES - now.length)) }));
      setAdded(more.at(-1)?.id ?? null);
    };
    return {
      addAfter,
      activate: setActive,
      edit: (id: string, part: Partial<PacketDraftRule>) =>
        change(({ rules: now }) => ({ rules: editListItem(now, id, part) })),
      /**
       * Inserts pasted lines. The first line becomes the row's own text, and each other line
       * becomes a new row.
       */
      paste: (id: string, [first = '', ...others]: string[], category: string) => {
        change(({ rules: now }) => ({ rules: editListItem(now, id, { text: first }) }));
        addAfter(id, others, category);
      },
    };
  }, [change]);

  const add = (some: readonly PacketDraftRule[]) => {
    change(({ rules: now }) => ({ rules: [...now, ...some].slice(0, MAX_RULES) }));
    if (some.length === 1) setAdded(some[0]?.id ?? null);
  };
  const remove = (index: number) => {
    const removed = rules[index];
    if (!removed) return;
    change(({ rules: now }) => ({ rules: removeListItem(now, removed.id) }));
    if (!removed.text.trim()) return;
    const undo = () => change(({ rules: now }) => ({ rules: [...reinsertListItem(now, removed, index)] }));
    toast(t('the_rule_is_removed'), { action: { label: t('undo'), onClick: undo } });
  };
  const standard: ReadonlySet<string> = new Set(CATEGORIES);
  const own = [...new Set(rules.map((rule) => rule.category.trim()).filter((name) => name && !standard.has(name)))];
  const full = rules.length >= MAX_RULES ? t('a_packet_holds_at_most_max_rules', { most: MAX_RULES }) : null;
  return (
    <div ref={section} data-previewed="rules">
      <Card>
        <CardHeader
          title={t('house_rules')}
          description={t('what_a_guest_agrees_to_in_this')}
          actions={
            <div className="flex flex-wrap gap-2">
              <Button variant="ghost" disabled={disabled} disabledReason={full} onClick={() => setStarting(true)}>
                <ListChecks aria-hidden />
                {t('usual_rules')}
              </Button>
              <Button
                variant="secondary"
                disabled={disabled}
                disabledReason={full}
                onClick={() => add([newRule('', rules.at(-1)?.category ?? '')])}
              >
                <Plus aria-hidden />
                {t('add_a_rule')}
              </Button>
            </div>
          }
        />
        <datalist id={categories}>
          {CATEGORIES.map((name) => (
            <option key={name} value={name} label={t(`category_${name}`)} />
          ))}
          {own.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {rules.length === 0 ? (
          <EmptyState icon={ListChecks} title={t('no_rules_yet')}>
            {t('one_sentence_for_each_no_smoking_indoors')}
          </EmptyState>
        ) : (
          <SortableList
            items={rules}
            label={t('rules')}
            one="rule"
            disabled={disabled}
            onMove={(from, to) => change(({ rules: now }) => ({ rules: moveListItem(now, from, to) }))}
            onRemove={remove}
          >
            {(rule, index) => (
              <RuleRow
                rule={rule}
                index={index}
                list={categories}
                error={errors[`rules.${rule.id}.text`]}
                category_error={errors[`rules.${rule.id}.category`]}
                disabled={disabled}
                active={active === rule.id}
                on={on}
              />
            )}
          </SortableList>
        )}
      </Card>
      {starting ? (
        <StarterDialog
          title={t('usual_rules')}
          options={SUGGESTED_PACKET_RULES.map(({ name, category }) => ({
            key: t(`rule_${name}`),
            label: t(`rule_${name}`),
            hint: t(`category_${category}`),
          }))}
          present={rules.map(({ text }) => text)}
          onClose={() => setStarting(false)}
          onAdd={(keys) =>
            add(
              SUGGESTED_PACKET_RULES.filter(({ name }) => keys.includes(t(`rule_${name}`))).map(({ name, category }) =>
                newRule(t(`rule_${name}`), category),
              ),
            )
          }
        />
      ) : null}
    </div>
  );
});

interface RuleRowProps {
  rule: PacketDraftRule;
  index: number;
  list: string;
  error?: string;
  category_error?: string;
  disabled: boolean;
  active: boolean;
  on: {
    edit: (id: string, part: Partial<PacketDraftRule>) => void;
    addAfter: (id: string, texts: readonly string[], category: string) => void;
    paste: (id: string, lines: string[], category: string) => void;
    activate: (id: string) => void;
  };
}

/** Memoized, so that typing in one rule does not re-render the other rules. */
const RuleRow = memo(function RuleRow(props: RuleRowProps) {
  const t = useTranslations('packets');
  const { rule, index, list, error, category_error, disabled, active, on } = props;
  const { id, text, category } = rule;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only notices where the focus is.
    <div className="flex flex-wrap items-start gap-2 sm:flex-nowrap" onFocus={() => on.activate(id)}>
      <PacketItemRowTextArea
        label={t('rule_number', { number: index + 1 })}
        value={text}
        maxLength={LONGEST}
        error={error}
        placeholder={t('no_smoking_indoors')}
        disabled={disabled}
        active={active}
        onChange={(next) => on.edit(id, { text: next })}
        onKeyDown={(event) => {
          // Enter adds a rule, except while an input method uses Enter to accept a composed word.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !text.trim()) return;
          event.preventDefault();
          on.addAfter(id, [''], category);
        }}
        onPaste={(event) => {
          const lines = splitPastedHouseRules(event.clipboardData.getData('text/plain'), MAX_RULES, LONGEST);
          // Several lines that are pasted into existing text stay in the same rule.
          if (!lines || text.trim()) return;
          event.preventDefault();
          on.paste(id, lines, category);
        }}
      />
      <div className="w-full sm:w-36 sm:shrink-0">
        <Input
          aria-label={t('category_of_rule', { number: index + 1 })}
          aria-invalid={category_error ? true : undefined}
          list={list}
          maxLength={80}
          placeholder={t('category')}
          value={category}
          disabled={disabled}
          onChange={(event) => on.edit(id, { category: event.target.value })}
        />
        {category_error ? (
          <p role="alert" className="mt-1 text-danger text-sm">
            {category_error}
          </p>
        ) : null}
      </div>
    </div>
  );
});
