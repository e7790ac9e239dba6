'use client';
import { useTranslations } from 'use-intl/react';
import { COPYABLE_PACKET_PARTS, type CopyablePacketPart } from '@/modules/packets/push/parts.rules';
import { Checkbox } from '../../developers/checkbox';
import { Field } from '../../ui/form/field';
import { NativeSelect } from '../../ui/form/input';

/** The field with which the host chooses a property. */
export function PropertySelectField({
  label,
  value,
  properties,
  onChange,
}: {
  label: string;
  value: string;
  properties: readonly { id: string; name: string }[];
  onChange: (id: string) => void;
}) {
  return (
    <Field label={label}>
      {(control) => (
        <NativeSelect {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          {properties.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}

/** The checkboxes with which the host chooses the parts of a packet to copy. */
export function PacketPartCheckboxes({
  parts,
  onChange,
}: {
  parts: readonly CopyablePacketPart[];
  onChange: (parts: readonly CopyablePacketPart[]) => void;
}) {
  const t = useTranslations('packets');
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium text-sm">{t('what')}</legend>
      {COPYABLE_PACKET_PARTS.map((part) => (
        <Checkbox
          key={part}
          label={t(`part_${part}`)}
          checked={parts.includes(part)}
          onChange={() =>
            onChange(
              COPYABLE_PACKET_PARTS.filter((each) => (each === part ? !parts.includes(part) : parts.includes(each))),
            )
          }
        />
      ))}
    </fieldset>
  );
}
