'use client';
import { memo, useState } from 'react';
import { classifyFee } from '@/modules/packets/rules/fee-classes';
import { LISTING_LOCALES, type ListingLocale, listingRules } from '@/modules/packets/rules/listing';
import { CodeBlock } from '../../developers/code-block';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { Field } from '../../ui/form/field';
import { NativeSelect } from '../../ui/form/input';
import type { Content } from './draft';
import { LANGUAGE_NAMES } from './languages';

/** The text for a channel's listing: rules, and the fees that fall due if something happens. */
export const ListingCard = memo(function ListingCard({ content }: { content: Content }) {
  const [locale, setLocale] = useState<ListingLocale>('en');
  const fees = content.fees.map((fee) => ({
    id: fee.id ?? '',
    label: fee.label,
    amount_cents: fee.amount_cents,
    unit: fee.unit ?? null,
    description: fee.description ?? null,
    type: fee.type ?? classifyFee({ label: fee.label, description: fee.description }),
  }));
  const rules = content.rules.map((rule) => ({ id: rule.id ?? '', text: rule.text, category: rule.category ?? null }));
  const currency = /^[A-Z]{3}$/.test(content.currency) ? content.currency : 'USD';
  const text = listingRules({ rules, fees, currency, locale });
  return (
    <Card>
      <CardHeader
        title="For your listings"
        description="Paste it into the house rules of a channel’s listing, so that guests knew before they booked. What you wrote stays in your language."
      />
      <CardBody className="grid gap-4">
        <Field label="Language of headings and units">
          {(control) => (
            <NativeSelect
              {...control}
              className="max-w-56"
              value={locale}
              onChange={(event) => setLocale(event.target.value as ListingLocale)}
            >
              {LISTING_LOCALES.map((code) => (
                <option key={code} value={code}>
                  {LANGUAGE_NAMES[code]}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
        {text ? (
          <CodeBlock text={text} label="Listing text" />
        ) : (
          <p className="text-ink-soft text-sm">It is made of the rules and fees above, once there are some.</p>
        )}
      </CardBody>
    </Card>
  );
});
