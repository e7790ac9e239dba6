'use client';
import { ListChecks, Plus } from 'lucide-react';
import { useId } from 'react';
import { newId } from '@/shared/ids';
import { Button } from '../../ui/button';
import { Card, CardHeader } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { toast } from '../../ui/overlay/toaster';
import { CodeText } from './code-text';
import { type DraftRule, moved } from './draft';
import type { SectionProps } from './section-props';
import { Sortable } from './sortable';

/** Categories that guests read in their own language; any other is shown as it is written. */
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
];
const MAX_RULES = 200;

export function RulesSection({ draft, change, errors, disabled }: SectionProps) {
  const { rules } = draft;
  const categories = useId();
  const edit = (index: number, part: Partial<DraftRule>) =>
    change({ rules: rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule)) });
  const add = () =>
    change({ rules: [...rules, { id: newId('rule'), text: '', category: rules.at(-1)?.category ?? '' }] });
  const remove = (index: number) => {
    const removed = rules[index];
    change({ rules: rules.toSpliced(index, 1) });
    if (removed?.text.trim()) {
      toast('The rule is removed.', { action: { label: 'Undo', onClick: () => change({ rules }) } });
    }
  };
  const own = [...new Set(rules.map((rule) => rule.category.trim()).filter(Boolean))];
  return (
    <Card>
      <CardHeader
        title="House rules"
        description="What a guest agrees to, in this order, under a heading for each category."
        actions={
          <Button
            variant="secondary"
            disabled={disabled}
            disabledReason={rules.length >= MAX_RULES ? `A packet holds at most ${MAX_RULES} rules.` : null}
            onClick={add}
          >
            <Plus aria-hidden />
            Add a rule
          </Button>
        }
      />
      <datalist id={categories}>
        {[...new Set([...own, ...CATEGORIES])].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {rules.length === 0 ? (
        <EmptyState icon={ListChecks} title="No rules yet">
          One sentence for each: “No smoking indoors.” Short rules are read, and what was read can be held to.
        </EmptyState>
      ) : (
        <Sortable
          items={rules}
          label="Rules"
          one="Rule"
          disabled={disabled}
          onMove={(from, to) => change({ rules: moved(rules, from, to) })}
          onRemove={remove}
        >
          {(rule, index) => (
            <div className="grid gap-3">
              <CodeText
                label={`Rule ${index + 1}`}
                value={rule.text}
                onChange={(text) => edit(index, { text })}
                maxLength={500}
                rows={2}
                error={errors[`rules.${rule.id}.text`]}
                hint={rule.text.trim() ? undefined : 'An empty rule is not saved.'}
                placeholder="No smoking indoors."
                disabled={disabled}
              />
              <Field label="Category" optional error={errors[`rules.${rule.id}.category`]}>
                {(control) => (
                  <Input
                    {...control}
                    className="max-w-64"
                    list={categories}
                    maxLength={80}
                    value={rule.category}
                    disabled={disabled}
                    onChange={(event) => edit(index, { category: event.target.value })}
                  />
                )}
              </Field>
            </div>
          )}
        </Sortable>
      )}
    </Card>
  );
}
