/**
 * A guidebook: the page that a guest opens before the trip. It shows the door code once Threshold
 * reports that the house rules are signed. Worth copying: idempotency keys are stored before a
 * call, failed calls are repeated, and events are verified, deduplicated and stored before they are
 * acknowledged.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import {
  type Event,
  type EventType,
  Threshold,
  ThresholdError,
  WebhookSignatureError,
  webhooks,
} from '@threshold/client';

/** The guidebook's own data. The door code is never sent to Threshold. */
const HOME = {
  name: 'Harbour Loft',
  directions: 'Quay 4, second floor. The lift is behind the café.',
  safety: 'Emergency: 112. The extinguisher is under the stairs.',
  door_code: '4711#',
};
const EVENTS: EventType[] = [
  'reservation.arrival_details_held',
  'reservation.arrival_details_released',
  'reservation.arrival_details_viewed',
  'reservation.arrival_details_override_released',
  'reservation.cancelled',
];

interface Booking {
  guest_name: string;
  guest_email: string;
  checkin_date: string;
  checkout_date: string;
}

interface Stay extends Booking {
  /** Part of the page's URL. Also the idempotency key of the reservation. */
  token: string;
  reservation_id: string | null;
  sent: boolean;
  open: boolean;
  /** The highest `sequence` applied so far, because events may arrive out of order. */
  sequence: number;
  history: string[];
}

/** The guidebook's data, in one file. A real application would use a database. */
interface Book {
  installation: string;
  property_id: string | null;
  secret: string | null;
  stays: Stay[];
  /** Ids of processed events. */
  taken: string[];
}

export interface GuidebookOptions {
  threshold: Threshold;
  /** The URL at which guests and Threshold reach this server. */
  public_url: string;
  /** The path of the data file. */
  file: string;
}

/** Creates the guidebook's server, which does not listen on a port yet. */
export async function createGuidebookServer({ threshold, public_url, file }: GuidebookOptions): Promise<Server> {
  const book: Book = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { installation: randomUUID(), property_id: null, secret: null, stays: [], taken: [] };
  const save = () => {
    writeFileSync(`${file}.new`, JSON.stringify(book, null, 2));
    renameSync(`${file}.new`, file);
  };
  save();
  await setUp();
  for (const stay of book.stays) if (!stay.sent) await push(stay).catch(report);

  /** Creates the property and the endpoint. Idempotency keys make repeated calls safe for a day. */
  async function setUp(): Promise<void> {
    if (!book.property_id) {
      const idempotencyKey = `property-${book.installation}`;
      const property = await threshold.properties.create({ name: HOME.name }, { idempotencyKey });
      await threshold.packets.updateDefault(property.id, {
        rules: [{ text: 'No smoking indoors.' }, { text: 'Quiet after 22:00.' }],
        safety_notes: HOME.safety,
        arrival_details: { door_code: 'In your guidebook.' },
        arrival_release: { door_code: 'after_signing' },
      });
      book.property_id = property.id;
      save();
    }
    if (!book.secret) {
      const idempotencyKey = `endpoint-${book.installation}`;
      const url = `${public_url}/webhooks/threshold`;
      const endpoint = await threshold.webhookEndpoints.create({ url, events: EVENTS }, { idempotencyKey });
      book.secret = endpoint.signing_secret;
      save();
    }
  }

  /** Handles `POST /stays`: adds a booking, and stores it before calling the API. */
  async function addStay({ guest_name, guest_email, checkin_date, checkout_date }: Booking) {
    const stay: Stay = {
      ...{ token: randomUUID(), guest_name, guest_email, checkin_date, checkout_date },
      ...{ reservation_id: null, sent: false, open: false, sequence: 0, history: [] },
    };
    book.stays.push(stay);
    save();
    await push(stay);
    return { guidebook: `${public_url}/g/${stay.token}`, reservation_id: stay.reservation_id };
  }

  /**
   * Creates the reservation and sends it. This is safe to repeat, because the token is the
   * idempotency key.
   */
  async function push(stay: Stay): Promise<void> {
    const { token, guest_name, guest_email, checkin_date, checkout_date } = stay;
    const property_id = book.property_id ?? '';
    const reservation = await threshold.reservations.create(
      { property_id, guest_name, guest_email, checkin_date, checkout_date },
      { idempotencyKey: token },
    );
    stay.reservation_id = reservation.id;
    save();
    await threshold.reservations.send(reservation.id);
    stay.sent = true;
    save();
  }

  /** Handles `POST /webhooks/threshold`. Responds with 2xx only after the event is stored. */
  async function takeEvent(body: Buffer, headers: IncomingMessage['headers']): Promise<void> {
    const event = await webhooks.verify(body, headers, book.secret ?? '');
    if (book.taken.includes(event.id)) return;
    apply(event);
    book.taken.push(event.id);
    save();
  }

  function apply(event: Event): void {
    const stay = book.stays.find(({ reservation_id }) => reservation_id === event.data.object.id);
    if (!stay) return;
    stay.history.push(`${event.created_at} ${event.type}`);
    const turn = (open: boolean) => {
      if (event.sequence < stay.sequence) return;
      Object.assign(stay, { open, sequence: event.sequence });
    };
    switch (event.type) {
      case 'reservation.arrival_details_released':
        turn(event.data.arrival_release.released.includes('door_code'));
        break;
      case 'reservation.arrival_details_override_released':
        // A host released the details early. The history contains the host and the reason.
        stay.history.push(`by ${event.data.by}: ${event.data.reason}`);
        turn(event.data.arrival_release.released.includes('door_code'));
        break;
      case 'reservation.cancelled':
        turn(false);
    }
  }

  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (error instanceof WebhookSignatureError) return answer(response, 400, 'text/plain', error.reason);
      report(error);
      answer(response, 502, 'text/plain', 'Try again.');
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/', headers } = request;
    if (method === 'POST' && url === '/webhooks/threshold') {
      await takeEvent(await read(request), headers);
      return answer(response, 204, 'text/plain', '');
    }
    if (method === 'POST' && url === '/stays') {
      const made = await addStay(JSON.parse((await read(request)).toString()));
      return answer(response, 201, 'application/json', JSON.stringify(made));
    }
    const stay = book.stays.find(({ token }) => url === `/g/${token}`);
    if (method === 'GET' && stay) return answer(response, 200, 'text/html; charset=utf-8', page(stay));
    answer(response, 404, 'text/plain', 'Not found');
  }
}

function page({ guest_name, checkin_date, open }: Stay): string {
  const code = open
    ? `<p>The door code: <strong>${HOME.door_code}</strong></p>`
    : '<p>The door code is shown here once you have signed the house rules: the link is in your mail.</p>';
  return `<!doctype html><title>${HOME.name}</title><h1>Welcome, ${escaped(guest_name)}</h1>
<p>From ${escaped(checkin_date)}. ${HOME.directions}</p>${code}<p>${HOME.safety}</p>`;
}

/** Logs an error. Guests and the booking system get only a short message. */
function report(error: unknown): void {
  console.error(error instanceof ThresholdError ? `${error.message} ${error.requestId}` : error);
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > 1_000_000) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { THRESHOLD_KEY = '', THRESHOLD_API = 'http://localhost:3000/v1', PORT = '4000' } = process.env;
  const public_url = process.env.PUBLIC_URL ?? `http://localhost:${PORT}`;
  const threshold = new Threshold({ apiKey: THRESHOLD_KEY, baseUrl: THRESHOLD_API });
  const server = await createGuidebookServer({ threshold, public_url, file: 'guidebook.json' });
  server.listen(Number(PORT), () => console.log(`The guidebook listens at ${public_url}`));
}
