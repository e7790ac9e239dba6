/** The editor's words for groups, policies and kinds of fees. */
import type { FeeType } from '@/modules/packets/rules/fee-classes';
import type { ArrivalGroup, Packet } from '@/modules/packets/schemas';

export const ARRIVAL_LABELS: Record<ArrivalGroup, string> = {
  wifi: 'Wi-Fi',
  door_code: 'Door code',
  checkin_notes: 'Check-in notes',
  parking_notes: 'Parking',
};

/** From here and not from the schemas, which bring all of zod into a page. */
export const ARRIVAL_GROUPS = Object.keys(ARRIVAL_LABELS) as ArrivalGroup[];

export const RELEASE_LABELS: Record<Packet['arrival_release'][ArrivalGroup], string> = {
  before_signing: 'Before signing',
  after_signing: 'After signing',
  manual: 'Only when you release it',
};

export const FEE_LABELS: Record<FeeType, string> = {
  mandatory_cleaning: 'Cleaning',
  mandatory_resort: 'Resort',
  mandatory_management: 'Management',
  mandatory_community: 'Community',
  mandatory_linen: 'Linen',
  mandatory_utility: 'Utilities',
  mandatory_tax: 'Tax',
  mandatory_deposit: 'Deposit',
  mandatory_other: 'Other, always charged',
  conditional_pet: 'Pet',
  conditional_extra_guest: 'Extra guest',
  conditional_early_checkin: 'Early check-in',
  conditional_late_checkout: 'Late check-out',
  conditional_smoking: 'Smoking',
  conditional_damage: 'Damage',
  conditional_lost_key: 'Lost key',
  conditional_noise_party: 'Noise or party',
  conditional_excess_cleaning: 'Excess cleaning',
  conditional_parking: 'Parking',
  conditional_other: 'Other, if it happens',
};
