/**
 * The data of a packet as a guest sees it, built by display.ts and rendered by the guest pages. A
 * withheld arrival group has only its name, so these types cannot contain withheld content.
 */

/** A property's branding. A host may have entered any of the values, so none is trusted. */
export interface PropertyBrandView {
  property_name: string;
  address: string | null;
  /** An https URL. The page does not show other values. */
  logo_url: string | null;
  /** `#rrggbb`. Any other value means the product's own color. */
  brand_color: string | null;
}

/** The maximum length of a message from a guest to the host. */
export const MAX_GUEST_REPLY_LENGTH = 1_000;

/** How an item differs from the version that the guest saw earlier. */
export type PacketItemChangeSinceLastView = 'added' | 'changed';

/** A fee's earlier values. */
export interface PreviousFee {
  label: string;
  amount_cents: number;
  currency: string;
}

export interface HouseRuleView {
  id: string;
  text: string;
  category: string | null;
  /** The label of the category that the guest saw. Only in a signed packet. */
  heading?: string;
  change?: PacketItemChangeSinceLastView | null;
  /** The rule's earlier text. */
  before?: string | null;
}

export interface FeeView {
  id: string;
  label: string;
  /** The amount in the currency's smallest unit. */
  amount_cents: number;
  unit: string | null;
  description: string | null;
  /** `mandatory_…`, `conditional_…` or null. */
  type: string | null;
  /** The labels that the guest saw. Only in a signed packet. */
  heading?: string;
  unit_label?: string | null;
  when?: string | null;
  change?: PacketItemChangeSinceLastView | null;
  /** The fee's earlier values, when the label or the amount has changed. */
  before?: PreviousFee | null;
}

export type ArrivalDetailGroupName = 'wifi' | 'door_code' | 'checkin_notes' | 'parking_notes';

export type ArrivalDetailGroupView =
  | {
      group: 'wifi';
      state: 'visible';
      network: string;
      password: string | null;
      change?: PacketItemChangeSinceLastView | null;
    }
  | {
      group: Exclude<ArrivalDetailGroupName, 'wifi'>;
      state: 'visible';
      text: string;
      change?: PacketItemChangeSinceLastView | null;
    }
  /** `until` is the condition for showing the group: the `signing`, or a release by the `host`. */
  | {
      group: ArrivalDetailGroupName;
      state: 'held';
      until: 'signing' | 'host';
      change?: PacketItemChangeSinceLastView | null;
    };

/** The packet with its short codes replaced. Empty arrival groups are omitted. */
export interface PacketView {
  welcome_message: string | null;
  rules: HouseRuleView[];
  fees: FeeView[];
  /** ISO 4217. */
  currency: string;
  arrival: ArrivalDetailGroupView[];
  safety_notes: string | null;
}
