/**
 * Copies a property between live and test mode, with its settings and the content of its default
 * packet. Does not copy guests, calendars, host names, embedding sites and the test clock.
 */
import type { Property } from '@/generated/prisma/client';
import { convertPacketRowToContent } from '@/modules/packets/serializer';
import { retrieveDefaultPacket } from '@/modules/packets/service';
import type { Mode, Scope } from '@/shared/scope';
import { propertyMetadataJsonColumn } from '../json-columns.schemas';
import { readLogo, uploadLogo } from '../logo/service';
import { mailTextsJsonColumn } from '../mail-texts/schemas';
import { PropertyCreate } from '../schemas';
import { createProperty, retrieveProperty } from '../service';

/**
 * Fields that are not copied. Host names and embedding sites belong to one property, and test
 * clocks exist only in test mode.
 */
const OF_ONE_MODE = { subdomain: null, custom_domain: null, embed_origins: [], test_clock_id: null };

/**
 * Copies the property. Returns the id of the copy and its mode. Throws resource_missing,
 * plan_required and property_limit_reached.
 */
export async function copyPropertyToOtherMode(scope: Scope, id: string): Promise<{ copy_id: string; mode: Mode }> {
  const property = await retrieveProperty(scope, id);
  const packet = await retrieveDefaultPacket(scope, id);
  const there: Scope = { ...scope, mode: scope.mode === 'live' ? 'test' : 'live' };
  const copy = await createProperty(there, settingsOf(property), {
    packetOf: () => convertPacketRowToContent(packet),
    mail_texts: mailTextsJsonColumn.read(property.mail_texts),
  });
  // The copy gets its own logo file, because deleting a property also deletes its logo.
  const logo = property.logo_url ? await readLogo(property.logo_url) : null;
  if (logo) await uploadLogo(there, copy.id, logo.bytes);
  return { copy_id: copy.id, mode: there.mode };
}

function settingsOf(property: Property): PropertyCreate {
  const { object: _, ...fields } = PropertyCreate.shape;
  const stored = { ...property, metadata: propertyMetadataJsonColumn.read(property.metadata) };
  const names = Object.keys(fields) as (keyof typeof fields)[];
  const settings = Object.fromEntries(names.map((name) => [name, stored[name]]));
  return { ...(settings as PropertyCreate), ...OF_ONE_MODE };
}
