/**
 * Reservations, fees and certificates of a month as CSV for spreadsheets. The file is UTF-8 with a
 * byte order mark and contains no formulas. Amounts are decimals in a column next to their
 * currency. Times are in the property's zone.
 */
import { inTransaction } from '@/infra/db/transaction';
import { formatCsvLine } from '@/modules/audit-log/csv';
import { recordAuditEntry } from '@/modules/audit-log/service';
import { packetFeesJsonColumn } from '@/modules/packets/json-columns.schemas';
import { agreementSnapshotSchema } from '@/modules/snapshot/snapshot';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { getCurrencyDecimalDigits } from '@/shared/money/minor-units';
import type { Scope } from '@/shared/scope';
import { addDays, getLocalDateTime, getStartOfDay } from '@/shared/zoned-time';
import * as repository from './repository';
import type { MonthCsvExportQuery } from './schemas';

type Cells = (string | null)[];
type Lines = AsyncGenerator<Cells[]>;

const HEADS: Readonly<Record<MonthCsvExportQuery['kind'], string[]>> = {
  reservations: [
    ...['Reservation', 'Property', 'Guest', 'Email', 'Check-in', 'Check-out', 'Nights', 'Status', 'Source'],
    ...['Booking code', 'Sent', 'Signed', 'Cancelled', 'Time zone'],
  ],
  fees: [
    ...['Reservation', 'Property', 'Guest', 'Check-in', 'Fee', 'Type', 'Unit', 'Amount', 'Currency', 'Agreed'],
    ...['Signed', 'Time zone'],
  ],
  certificates: [
    ...['Certificate', 'Reservation', 'Property', 'Signed by', 'Signed', 'Sealed', 'Language', 'Legal hold'],
    ...['Redacted', 'SHA-256 of the PDF', 'Time zone'],
  ],
};

/** Yields the lines of a month, page by page. First writes the audit entry. */
export async function* streamMonthCsv(scope: Scope, query: MonthCsvExportQuery): AsyncGenerator<string> {
  const { kind, month, property } = query;
  const data = { name: kind, from: month, ...(property && { property_ids: property }) };
  await inTransaction(scope, () => recordAuditEntry(scope, { action: 'data.month_exported', data }));
  // Excel reads the file as UTF-8 only if it begins with a byte order mark.
  yield `\uFEFF${formatCsvLine(HEADS[kind])}`;
  for await (const lines of LINES[kind](scope, query)) yield lines.map(formatCsvLine).join('');
}

const daysOf = ({ month, property }: MonthCsvExportQuery) => {
  const from = `${month}-01`;
  // Adding 31 days to the first of a month always leads to the next month.
  return { from, to: `${addDays(from, 31).slice(0, 7)}-01`, property };
};

const at = (time: Date | null, zone: string | null) => time && getLocalDateTime(time, zone);

async function* reservationLines(scope: Scope, query: MonthCsvExportQuery): Lines {
  for await (const rows of repository.iterateReservationsForMonthCsv(scope, daysOf(query))) {
    yield rows.map((row) => {
      const { name, timezone } = row.property;
      const nights = (row.checkout_date.getTime() - row.checkin_date.getTime()) / 86_400_000;
      return [
        ...[
          row.id,
          name,
          row.guest_name,
          row.guest_email,
          convertDatabaseDateToIsoDay(row.checkin_date),
          convertDatabaseDateToIsoDay(row.checkout_date),
        ],
        ...[String(nights), row.status, row.source, row.external_id, at(row.sent_at, timezone)],
        ...[at(row.signed_at, timezone), at(row.cancelled_at, timezone), timezone ?? 'UTC'],
      ];
    });
  }
}

interface Fee {
  label: string;
  type?: string | null;
  unit?: string | null;
  amount_cents: number;
}

/**
 * Yields the agreed fees of guests who signed, and the current fees for guests who did not sign.
 * Skips cancelled reservations.
 */
async function* feeLines(scope: Scope, query: MonthCsvExportQuery): Lines {
  for await (const rows of repository.iterateReservationsForMonthCsv(scope, daysOf(query))) {
    const staying = rows.filter(({ status }) => status !== 'ignored');
    const signed = await repository.findAgreementSnapshotJsonByReservationId(
      scope,
      staying.map(({ id }) => id),
    );
    const packets = await repository.findPacketsForUnsignedGuests(scope, staying);
    yield staying.flatMap((row): Cells[] => {
      const canonical = signed.get(row.id);
      const packet = packets.find(({ id, property_id, is_default }) =>
        row.packet_id ? id === row.packet_id : is_default && property_id === row.property_id,
      );
      // A redacted certificate has an empty snapshot, so its agreed fees are no longer known.
      if (canonical === '') return [];
      const shown: { currency: string; fees: readonly Fee[] } | undefined = canonical
        ? agreementSnapshotSchema.parse(JSON.parse(canonical)).packet
        : packet && { currency: packet.currency, fees: packetFeesJsonColumn.read(packet.fees) };
      const { name, timezone } = row.property;
      return (shown?.fees ?? []).map((fee) => [
        ...[
          row.id,
          name,
          row.guest_name,
          convertDatabaseDateToIsoDay(row.checkin_date),
          fee.label,
          fee.type ?? null,
          fee.unit ?? null,
        ],
        ...[
          formatMinorUnits(fee.amount_cents, shown?.currency ?? ''),
          shown?.currency ?? null,
          canonical ? 'yes' : 'no',
        ],
        ...[at(row.signed_at, timezone), timezone ?? 'UTC'],
      ]);
    });
  }
}

/**
 * Converts an amount in minor units to a decimal: `123450` is `1234.50` in EUR and `123450` in JPY.
 * Uses no floating-point numbers.
 */
export function formatMinorUnits(amount: number, currency: string): string {
  const digits = getCurrencyDecimalDigits(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return amount < 0 ? `-${whole}` : whole;
}

async function* certificateLines(scope: Scope, query: MonthCsvExportQuery): Lines {
  const { from, to, property } = daysOf(query);
  // Reads one more day on each side, because properties are in different time zones. The loop below
  // compares the month in the property's zone.
  const window = { from: getStartOfDay(addDays(from, -1), null), to: getStartOfDay(addDays(to, 1), null), property };
  for await (const rows of repository.iterateCertificatesForMonthCsv(scope, window)) {
    const properties = await repository.findPropertiesById(
      scope,
      rows.map(({ property_id }) => property_id),
    );
    yield rows.flatMap((row): Cells[] => {
      const { name = null, timezone = null } = properties.get(row.property_id) ?? {};
      const signed = getLocalDateTime(row.signed_at, timezone);
      if (!signed.startsWith(query.month)) return [];
      return [
        [
          ...[row.id, row.reservation_id, name, row.signer_name, signed, at(row.sealed_at, timezone), row.locale],
          ...[row.legal_hold ? 'yes' : 'no', at(row.redacted_at, timezone), row.pdf_sha256, timezone ?? 'UTC'],
        ],
      ];
    });
  }
}

const LINES: Readonly<Record<MonthCsvExportQuery['kind'], (scope: Scope, query: MonthCsvExportQuery) => Lines>> = {
  reservations: reservationLines,
  fees: feeLines,
  certificates: certificateLines,
};
