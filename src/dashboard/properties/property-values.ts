/**
 * Converts a property to the values of its forms, which are texts and switches. Pure.
 * read-values.ts validates the values.
 */
import type { Property, PropertyUpdate } from '@/modules/properties/schemas';
import type { AcceptanceStatementName } from '@/shared/guest-text/acceptances';

export interface PropertyFormValues {
  name: string;
  address: string;
  city: string;
  timezone: string;
  brand_color: string;
  logo_url: string;
  auto_send_packet: boolean;
  /** The typed number of hours. */
  auto_send_offset_hours: string;
  auto_reminders: boolean;
  photo_required: boolean;
  otp_required: boolean;
  required_acceptances: AcceptanceStatementName[];
  reply_to_email: string;
  parallel_stays: boolean;
  /** One origin per line. */
  embed_origins: string;
  subdomain: string;
  custom_domain: string;
}

export type PropertyFormField = keyof PropertyFormValues;
export type PropertyChanges = Omit<Partial<PropertyUpdate>, 'id'>;

export function buildPropertyFormValues(property: Property): PropertyFormValues {
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
    required_acceptances: property.required_acceptances,
    reply_to_email: property.reply_to_email ?? '',
    parallel_stays: property.parallel_stays,
    embed_origins: property.embed_origins.join('\n'),
    subdomain: property.subdomain ?? '',
    custom_domain: property.custom_domain ?? '',
  };
}

export type PropertyFieldErrors = Partial<Record<PropertyFormField, string>>;

const isSame = (one: unknown, other: unknown) =>
  Array.isArray(one) ? JSON.stringify(one) === JSON.stringify(other) : one === other;

/** Returns the values that differ from the stored property, as an update. */
export function pickChangedPropertyValues(property: Property, changes: PropertyChanges): PropertyChanges {
  return Object.fromEntries(
    Object.entries(changes).filter(([field, value]) => !isSame(value, property[field as keyof Property])),
  );
}
