/**
 * A packet as one guest sees it: plain serializable data, built by display.ts and rendered by the
 * guest pages. These types cannot contain withheld arrival content: a held group has only its name.
 */

/** A property's branding. Every field may come from a host, so nothing here is trusted. */
export interface BrandView {
  property_name: string;
  address: string | null;
  /** An https URL. Anything else is not shown. */
  logo_url: string | null;
  /** `#rrggbb`. Null or anything else means the product's own color. */
  brand_color: string | null;
}

/** The longest message from a guest to the host. */
export const MAX_MESSAGE = 1_000;

/** How an item differs from the version that the guest saw before. */
export type ChangeMark = 'added' | 'changed';

/** A fee before it was changed or removed. */
export interface PreviousFee {
  label: string;
  amount_cents: number;
  currency: string;
}

export interface RuleView {
  id: string;
  text: string;
  category: string | null;
  /** The category label that the guest saw, in a signed packet. */
  heading?: string;
  change?: ChangeMark | null;
  /** The text before the change. */
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
  /** The labels that the guest saw, in a signed packet. */
  heading?: string;
  unit_label?: string | null;
  when?: string | null;
  change?: ChangeMark | null;
  /** Set when the label or the amount changed. */
  before?: PreviousFee | null;
}

export type ArrivalGroupName = 'wifi' | 'door_code' | 'checkin_notes' | 'parking_notes';

export type ArrivalGroupView =
  | { group: 'wifi'; state: 'visible'; network: string; password: string | null; change?: ChangeMark | null }
  | { group: Exclude<ArrivalGroupName, 'wifi'>; state: 'visible'; text: string; change?: ChangeMark | null }
  /** `until`: shown after `signing`, or when the `host` releases it. */
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
