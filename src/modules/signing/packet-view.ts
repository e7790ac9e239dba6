/**
 * A packet as one guest sees it: plain serialisable data, built by display.ts and rendered by the guest pages. Withheld
 * arrival content has no place in these types: a held group is only its name.
 */

/** How a property presents itself. Every field may come from a host, so nothing here is trusted. */
export interface BrandView {
  property_name: string;
  address: string | null;
  /** An https URL; anything else is not shown. */
  logo_url: string | null;
  /** `#rrggbb`; null or anything else means the product's own colour. */
  brand_color: string | null;
}

/** How long a guest's message to the host can be. */
export const MOST_MESSAGE = 1_000;

/** What differs from the version the guest was shown before. */
export type ChangeMark = 'added' | 'changed';

/** What a fee cost before it changed or was removed. */
export interface FeeBefore {
  label: string;
  amount_cents: number;
  currency: string;
}

export interface RuleView {
  id: string;
  text: string;
  category: string | null;
  /** The category as it was shown, in what was signed. */
  heading?: string;
  change?: ChangeMark | null;
  /** The text that changed. */
  before?: string | null;
}

export interface FeeView {
  id: string;
  label: string;
  /** In the currency's smallest unit. */
  amount_cents: number;
  unit: string | null;
  description: string | null;
  /** `mandatory_…`, `conditional_…` or null. */
  type: string | null;
  /** As it was shown, in what was signed. */
  heading?: string;
  unit_label?: string | null;
  when?: string | null;
  change?: ChangeMark | null;
  /** Set when the label or the amount changed. */
  before?: FeeBefore | null;
}

export type ArrivalGroupName = 'wifi' | 'door_code' | 'checkin_notes' | 'parking_notes';

export type ArrivalGroupView =
  | { group: 'wifi'; state: 'visible'; network: string; password: string | null; change?: ChangeMark | null }
  | { group: Exclude<ArrivalGroupName, 'wifi'>; state: 'visible'; text: string; change?: ChangeMark | null }
  /** `until` says when it will be shown: `signing`, or `host` when only the host's release shows it. */
  | { group: ArrivalGroupName; state: 'held'; until: 'signing' | 'host'; change?: ChangeMark | null };

/** The packet with its short codes filled in. Only populated arrival groups are listed. */
export interface PacketView {
  welcome_message: string | null;
  rules: RuleView[];
  fees: FeeView[];
  /** ISO 4217. */
  currency: string;
  arrival: ArrivalGroupView[];
  safety_notes: string | null;
}
