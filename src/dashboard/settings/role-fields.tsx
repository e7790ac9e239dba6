'use client';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { ROLES, type Role } from '@/shared/scope';
import { Checkbox } from '../developers/checkbox';
import { QueryErrorPanel } from '../query-error';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import { Skeleton } from '../ui/skeleton';

export interface MemberRoleFormValues {
  role: Role;
  /** The properties of a co-host. Ignored for other roles. */
  property_ids: string[];
  /** Whether a developer sees guests' data. Ignored for other roles. */
  sees_guests: boolean;
}

interface RoleFieldsProps {
  value: MemberRoleFormValues;
  onChange: (value: MemberRoleFormValues) => void;
  /** Whether to offer the choice of `sees_guests` for a developer. */
  withGuests?: boolean;
  error?: string | undefined;
}

/** Converts a choice to the API's input, without fields of other roles. */
export const buildMemberRoleApiInput = ({ role, property_ids, sees_guests }: MemberRoleFormValues) => ({
  role,
  ...(role === 'co_host' && { property_ids }),
  ...(role === 'developer' && { sees_guests }),
});

/** Lists the roles with their explanations, and the limits of the chosen role. */
export function RoleFields({ value, onChange, withGuests = false, error }: RoleFieldsProps) {
  const t = useTranslations('settings');
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-medium text-ink text-sm">{t('role')}</legend>
      {ROLES.map((role) => (
        <div key={role} className="grid gap-3">
          <Checkbox
            type="radio"
            name="role"
            checked={value.role === role}
            onChange={() => onChange({ ...value, role })}
            label={t(`role_name_${role}`)}
            hint={t(`role_about_${role}`)}
          />
          {role === 'co_host' && value.role === role ? (
            <PropertyChoice
              chosen={value.property_ids}
              onChange={(property_ids) => onChange({ ...value, property_ids })}
              error={error}
            />
          ) : null}
          {role === 'developer' && value.role === role && withGuests ? (
            <Checkbox
              className="ml-6"
              checked={value.sees_guests}
              onChange={(event) => onChange({ ...value, sees_guests: event.target.checked })}
              label={t('role_sees_guests')}
              hint={t('role_sees_guests_hint')}
            />
          ) : null}
        </div>
      ))}
    </fieldset>
  );
}

const MOST = 100;

function PropertyChoice({
  chosen,
  onChange,
  error,
}: {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  error?: string | undefined;
}) {
  const t = useTranslations('settings');
  const { mode } = useMe();
  const trpc = useTRPC();
  const properties = useQuery(trpc.properties.list.queryOptions({ limit: MOST }));
  if (properties.error && !properties.data)
    return <QueryErrorPanel title={t('role_properties_not_loaded')} query={properties} />;
  return (
    <fieldset className="ml-6 grid max-h-56 gap-2 overflow-y-auto">
      <legend className="mb-1.5 text-ink-soft text-xs">{t(`role_properties_${mode}`)}</legend>
      {properties.isPending ? <Skeleton className="h-9" /> : null}
      {properties.data?.data.map(({ id, name }) => (
        <Checkbox
          key={id}
          checked={chosen.includes(id)}
          onChange={(event) => onChange(event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
          label={name}
        />
      ))}
      {properties.data?.data.length === 0 ? <p className="text-ink-soft text-sm">{t('role_no_properties')}</p> : null}
      {error ? (
        <p className="text-danger text-sm" role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
