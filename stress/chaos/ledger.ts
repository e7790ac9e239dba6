/** What was acknowledged: every 2xx that an actor of the storm got. Whatever stands here must be true in the end. */

export interface Booking {
  id: string;
  /** Nobody else's. */
  guest_email: string;
  /** The last name that was acknowledged. */
  guest_name: string;
  checkin_date: string;
  /** Acknowledged sends and resends. */
  sends: number;
  cancelled: boolean;
  /** The guest was shown that it is signed. */
  signed: boolean;
}

export class Ledger {
  readonly bookings = new Map<string, Booking>();
  readonly #by_email = new Map<string, Booking>();
  /** The last acknowledged welcome message of each property's packet. */
  readonly welcome = new Map<string, string>();
  /** 2xx answers to writes. */
  acknowledged = 0;
  /** Guests who sent their signature and wait for the answer. */
  signing = 0;

  get signed(): number {
    return [...this.bookings.values()].filter(({ signed }) => signed).length;
  }

  add(booking: Booking): Booking {
    this.bookings.set(booking.id, booking);
    this.#by_email.set(booking.guest_email, booking);
    return booking;
  }

  ofGuest(email: string): Booking | undefined {
    return this.#by_email.get(email);
  }
}
