'use client';
import { memo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { classifyFee } from '@/modules/packets/rules/fee-classes';
import {
  CHANNEL_LISTING_LOCALES,
  type ChannelListingLocale,
  renderHouseRulesTextForListing,
} from '@/modules/packets/rules/listing';
import { GUEST_LANGUAGES } from '@/shared/guest-text/locale';
import { CodeBlock } from '../../developers/code-block';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { Field } from '../../ui/form/field';
import { NativeSelect } from '../../ui/form/input';
import type { PacketDraftContent } from './draft';

/**
 * Shows the text for a channel's listing: the rules, and the fees that are due only in certain
 * cases.
 */
export const ChannelListingRulesCard = memo(function ListingCard({ content }: { content: PacketDraftContent }) {
  const t = useTranslations('packets');
  const [locale, setLocale] = useState<ChannelListingLocale>('en');
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
  const text = renderHouseRulesTextForListing({ rules, fees, currency, locale });
  return (
    <Card>
      <CardHeader title={t('for_your_listings')} description={t('paste_it_into_the_house_rules_of')} />
      <CardBody className="grid gap-4">
        <Field label={t('language_of_headings_and_units')}>
          {(control) => (
            <NativeSelect
              {...control}
              className="max-w-56"
              value={locale}
              onChange={(event) => setLocale(event.target.value as ChannelListingLocale)}
            >
              {CHANNEL_LISTING_LOCALES.map((code) => (
                <option key={code} value={code}>
                  {GUEST_LANGUAGES[code].name}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
        {text ? (
          <CodeBlock text={text} label={t('listing_text')} />
        ) : (
          <p className="text-ink-soft text-sm">{t('it_is_made_of_the_rules_and')}</p>
        )}
      </CardBody>
    </Card>
  );
});
