/**
 * Records the acknowledged actions, which are all 2xx answers that an actor of the chaos run
 * (chaos-run.ts) received. The effects of these actions must exist at the end.
 */

export interface AcknowledgedBooking {
  id: string;
  /** The guest's address, which is unique to this booking. */
  guest_email: string;
  /** The guest's last acknowledged name. */
  guest_name: string;
  checkin_date: string;
  /** Number of acknowledged sends and resends. */
  sends: number;
  cancelled: boolean;
  /** Whether the guest's browser received the confirmation of the signature. */
  signed: boolean;
}

export class AcknowledgedWrites {
  readonly bookings = new Map<string, AcknowledgedBooking>();
  readonly #by_email = new Map<string, AcknowledgedBooking>();
  /** The last acknowledged welcome message for each property's packet. */
  readonly welcome = new Map<string, string>();
  /** Number of 2xx answers to writes. */
  acknowledged = 0;
  /** Number of guests who have posted their signature and wait for the answer. */
  signing = 0;

  get signed(): number {
    return [...this.bookings.values()].filter(({ signed }) => signed).length;
  }

  add(booking: AcknowledgedBooking): AcknowledgedBooking {
    this.bookings.set(booking.id, booking);
    this.#by_email.set(booking.guest_email, booking);
    return booking;
  }

  ofGuest(email: string): AcknowledgedBooking | undefined {
    return this.#by_email.get(email);
  }
}
