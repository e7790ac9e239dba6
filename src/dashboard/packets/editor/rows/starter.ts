/** What most houses say, to be ticked by a host who begins. In plain words that can be changed afterwards. */

export const STARTER_RULES: readonly { text: string; category: string }[] = [
  { text: 'No smoking indoors.', category: 'Smoking' },
  { text: 'No parties or events.', category: 'Parties' },
  { text: 'Quiet from 22:00 to 8:00.', category: 'Noise' },
  { text: 'Only the guests who are booked may stay overnight.', category: 'Guests' },
  { text: 'No pets without agreement.', category: 'Pets' },
  { text: 'Check-in from 15:00.', category: 'Check-in' },
  { text: 'Check-out by 11:00.', category: 'Check-out' },
  { text: 'Lock doors and windows whenever you leave.', category: 'Safety' },
  { text: 'Tell us at once when something breaks.', category: 'Damage' },
  { text: 'Take the rubbish out before you leave.', category: 'Trash' },
  { text: 'Park only where it is marked.', category: 'Parking' },
];

/** Amounts are the host's own: none is suggested. */
export const STARTER_FEES: readonly { label: string; unit: string; description: string; type: string }[] = [
  { label: 'Cleaning fee', unit: 'per stay', description: '', type: 'mandatory_cleaning' },
  { label: 'Late check-out', unit: 'per hour', description: 'Without agreement.', type: 'conditional_late_checkout' },
  { label: 'Lost key', unit: 'per item', description: '', type: 'conditional_lost_key' },
  { label: 'Smoking indoors', unit: 'per incident', description: '', type: 'conditional_smoking' },
  { label: 'Pet', unit: 'per stay', description: '', type: 'conditional_pet' },
  { label: 'Extra guest', unit: 'per night', description: '', type: 'conditional_extra_guest' },
  { label: 'Party or noise', unit: 'per incident', description: '', type: 'conditional_noise_party' },
  { label: 'Excess cleaning', unit: 'per hour', description: '', type: 'conditional_excess_cleaning' },
];
