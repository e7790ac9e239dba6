/** Converts a row to a Property field by field. */
import type { Property as PropertyRow } from '@/generated/prisma/client';
import type { AcceptanceStatementName } from '@/shared/guest-text/acceptances';
import { propertyMetadataJsonColumn } from './json-columns.schemas';
import type { Property } from './schemas';

export function serializeProperty(row: PropertyRow): Property {
  return {
    id: row.id,
    object: 'property',
    name: row.name,
    address: row.address,
    brand_color: row.brand_color,
    logo_url: row.logo_url,
    subdomain: row.subdomain,
    custom_domain: row.custom_domain,
    timezone: row.timezone,
    auto_send_packet: row.auto_send_packet,
    auto_send_offset_hours: row.auto_send_offset_hours,
    auto_reminders: row.auto_reminders,
    lat: row.lat,
    lng: row.lng,
    city: row.city,
    photo_required: row.photo_required,
    otp_required: row.otp_required,
    required_acceptances: row.required_acceptances as AcceptanceStatementName[],
    reply_to_email: row.reply_to_email,
    parallel_stays: row.parallel_stays,
    embed_origins: row.embed_origins,
    metadata: propertyMetadataJsonColumn.read(row.metadata),
    test_clock_id: row.test_clock_id,
    custom_domain_verified_at: row.custom_domain_verified_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
