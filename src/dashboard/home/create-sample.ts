import type { Me } from '@/modules/accounts/schemas';
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import type { useTRPCClient } from '../trpc';
import { addCalendarDays } from '../ui/zone';

interface Sample {
  client: ReturnType<typeof useTRPCClient>;
  t: NamespaceTranslator<'home'>;
  guest: Pick<Me['user'], 'name' | 'email'>;
  zone: string;
  today: string;
}

/**
 * Creates a sample property with house rules, and a reservation with the user as its guest, in the
 * current mode. Returns the reservation's id.
 */
export async function createSampleReservation({ client, t, guest, zone, today }: Sample): Promise<string> {
  const property = await client.properties.create.mutate({ name: t('sample_property'), timezone: zone });
  await client.packets.update_default.mutate({
    id: property.id,
    welcome_message: t('sample_welcome'),
    rules: [
      { text: t('sample_rule_smoking'), category: 'Smoking' },
      { text: t('sample_rule_parties'), category: 'Parties' },
      { text: t('sample_rule_quiet'), category: 'Noise' },
      { text: t('sample_rule_check_out'), category: 'Check-out' },
    ],
    fees: [
      {
        label: t('sample_fee_late_checkout'),
        amount_cents: 3000,
        unit: 'per hour',
        type: 'conditional_late_checkout',
      },
      { label: t('sample_fee_lost_key'), amount_cents: 8000, unit: 'per item', type: 'conditional_lost_key' },
    ],
    safety_notes: t('sample_safety'),
    arrival_details: {
      wifi: { network: 'sample-wifi', password: 'sample-password' },
      door_code: '1234#',
      checkin_notes: t('sample_check_in'),
      parking_notes: t('sample_parking'),
    },
  });
  const reservation = await client.reservations.create.mutate({
    property_id: property.id,
    guest_name: guest.name,
    guest_email: guest.email,
    checkin_date: addCalendarDays(today, 7),
    checkout_date: addCalendarDays(today, 10),
  });
  return reservation.id;
}
