/**
 * The content of a property's first packet. Its currency depends on the property's time zone. Pure.
 */
import { createEmptyPacketContent, type PacketContent } from './content';

/** Time zones by currency. For other time zones, the currency is USD. */
const ZONES: Readonly<Record<string, string>> = {
  EUR: `Europe/Amsterdam Europe/Andorra Europe/Athens Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Dublin
    Europe/Helsinki Europe/Lisbon Europe/Ljubljana Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Mariehamn
    Europe/Monaco Europe/Paris Europe/Podgorica Europe/Riga Europe/Rome Europe/San_Marino Europe/Sofia Europe/Tallinn
    Europe/Vatican Europe/Vienna Europe/Vilnius Europe/Zagreb Atlantic/Azores Atlantic/Canary Atlantic/Madeira Africa/Ceuta
    Asia/Nicosia Indian/Reunion Indian/Mayotte America/Guadeloupe America/Martinique America/Cayenne`,
  GBP: 'Europe/London Europe/Jersey Europe/Guernsey Europe/Isle_of_Man',
  CHF: 'Europe/Zurich Europe/Vaduz Europe/Busingen',
  SEK: 'Europe/Stockholm',
  NOK: 'Europe/Oslo Arctic/Longyearbyen',
  DKK: 'Europe/Copenhagen Atlantic/Faroe',
  ISK: 'Atlantic/Reykjavik',
  PLN: 'Europe/Warsaw',
  CZK: 'Europe/Prague',
  HUF: 'Europe/Budapest',
  RON: 'Europe/Bucharest',
  TRY: 'Europe/Istanbul',
  CAD: `America/Toronto America/Vancouver America/Halifax America/Winnipeg America/Edmonton America/Regina America/St_Johns
    America/Moncton America/Whitehorse America/Yellowknife`,
  MXN: `America/Mexico_City America/Cancun America/Merida America/Monterrey America/Chihuahua America/Mazatlan
    America/Hermosillo America/Tijuana America/Bahia_Banderas`,
  BRL: 'America/Sao_Paulo America/Bahia America/Fortaleza America/Recife America/Manaus America/Belem America/Maceio',
  AUD: `Australia/Sydney Australia/Melbourne Australia/Brisbane Australia/Perth Australia/Adelaide Australia/Hobart
    Australia/Darwin Australia/Lindeman Australia/Lord_Howe`,
  NZD: 'Pacific/Auckland Pacific/Chatham',
  JPY: 'Asia/Tokyo',
  KRW: 'Asia/Seoul',
  THB: 'Asia/Bangkok',
  IDR: 'Asia/Jakarta Asia/Makassar Asia/Pontianak Asia/Jayapura',
  INR: 'Asia/Kolkata Asia/Calcutta',
  SGD: 'Asia/Singapore',
  HKD: 'Asia/Hong_Kong',
  AED: 'Asia/Dubai',
  ILS: 'Asia/Jerusalem',
  MAD: 'Africa/Casablanca',
  ZAR: 'Africa/Johannesburg',
};

const CURRENCIES = new Map(
  Object.entries(ZONES).flatMap(([currency, zones]) => zones.split(/\s+/).map((zone) => [zone, currency] as const)),
);

/** Returns an empty packet in the currency of the property's time zone, or in USD. */
export const createEmptyPacketInCurrencyOfTimeZone = (timezone: string | null | undefined): PacketContent =>
  createEmptyPacketContent(CURRENCIES.get(timezone ?? ''));

/**
 * Returns the first packet of a property created in the dashboard. Door code and wifi are withheld
 * until the guest signs.
 */
export function createInitialPacketContent(timezone: string | null | undefined): PacketContent {
  const content = createEmptyPacketInCurrencyOfTimeZone(timezone);
  return {
    ...content,
    arrival_release: { ...content.arrival_release, door_code: 'after_signing', wifi: 'after_signing' },
  };
}

/** Exported so that a test can check that every time zone exists. */
export const TIME_ZONE_CURRENCIES: ReadonlyMap<string, string> = CURRENCIES;
