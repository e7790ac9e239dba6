/** A property as its forms hold it: texts and switches. Pure; what is valid is decided by the API's own schema. */
import { type Property, PropertyUpdate } from '@/modules/properties/schemas';

export interface PropertyValues {
  name: string;
  address: string;
  city: string;
  timezone: string;
  brand_color: string;
  logo_url: string;
  auto_send_packet: boolean;
  /** Whole hours as typed. */
  auto_send_offset_hours: string;
  auto_reminders: boolean;
  photo_required: boolean;
  otp_required: boolean;
  reply_to_email: string;
  parallel_stays: boolean;
  subdomain: string;
  custom_domain: string;
}

export type PropertyField = keyof PropertyValues;
type Changes = Omit<Partial<PropertyUpdate>, 'id'>;

export function valuesOf(property: Property): PropertyValues {
  return {
    name: property.name,
    address: property.address ?? '',
    city: property.city ?? '',
    timezone: property.timezone ?? '',
    brand_color: property.brand_color ?? '',
    logo_url: property.logo_url ?? '',
    auto_send_packet: property.auto_send_packet,
    auto_send_offset_hours: property.auto_send_offset_hours?.toString() ?? '',
    auto_reminders: property.auto_reminders,
    photo_required: property.photo_required,
    otp_required: property.otp_required,
    reply_to_email: property.reply_to_email ?? '',
    parallel_stays: property.parallel_stays,
    subdomain: property.subdomain ?? '',
    custom_domain: property.custom_domain ?? '',
  };
}

/** One field as the API takes it: an empty text is null, hours are a number (NaN when they are not). */
function inputOf(field: PropertyField, value: string | boolean): unknown {
  if (typeof value === 'boolean' || field === 'name') return value;
  const text = value.trim();
  if (text === '') return null;
  if (field === 'auto_send_offset_hours') return Number(text);
  // People paste whole addresses; the host is what is asked for.
  if (field === 'custom_domain') return text.replace(/^https?:\/\//i, '').split('/', 1)[0];
  return text;
}

export type PropertyErrors = Partial<Record<PropertyField, string>>;

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function wording(field: PropertyField, message: string): string {
  if (field === 'name' && !message.startsWith('must')) return 'Give it the name that guests know.';
  if (field === 'auto_send_offset_hours') return 'Must be a whole number from 1 to 336.';
  return sentence(message);
}

/** The named fields as an update, or what is wrong with them. */
export function readValues(
  values: Partial<PropertyValues>,
): { ok: true; changes: Changes } | { ok: false; errors: PropertyErrors } {
  const fields = Object.keys(values) as PropertyField[];
  const input = Object.fromEntries(fields.map((field) => [field, inputOf(field, values[field] as string | boolean)]));
  const parsed = PropertyUpdate.omit({ id: true }).safeParse(input);
  if (parsed.success) return { ok: true, changes: parsed.data };
  const errors: PropertyErrors = {};
  for (const issue of parsed.error.issues) {
    const field = issue.path[0] as PropertyField;
    errors[field] ??= wording(field, issue.message);
  }
  return { ok: false, errors };
}

/** What differs from the property as it is stored, as an update. */
export function changesFrom(property: Property, changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).filter(([field, value]) => value !== property[field as keyof Property]),
  );
}
