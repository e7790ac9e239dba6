/** Previews and imports bookings from a CSV. Imports all lines or none. */

import { config } from '@/config';
import { lockPropertyAgainstDeletion, lockTeam } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { AppError } from '@/shared/errors';
import { createRefusal, type Refusal, type ResultWithUntranslatedRefusals } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import type { ReservationImportPreview } from '../host.schemas';
import { createReservations } from './create-many';
import {
  findRepeatedImportLines,
  getBookingIdentityKeys,
  type ParsedReservationImport,
  parseReservationImport,
  type ReservationImportInput,
} from './import.rules';
import * as repository from './repository';

interface Plan {
  reading: ParsedReservationImport;
  repeated: Map<number, Refusal>;
  properties: Map<string, string>;
}

async function plan(scope: Scope, input: ReservationImportInput): Promise<Plan> {
  const properties = await repository.listPropertyNames(scope);
  const names = new Map(properties.map(({ id, name }) => [id, name]));
  if (input.property_id !== null && !names.has(input.property_id)) {
    throw new AppError('resource_missing', {
      param: 'property_id',
      message: createRefusal('there_is_no_such_property'),
    });
  }
  const reading = parseReservationImport(input, { properties, channel_names: config().channel_names });
  const rows = reading.lines.flatMap(({ row }) => row ?? []);
  const days = rows.map((row) => row.checkin_date).sort();
  const [from, to] = [days[0], days.at(-1)];
  const stays =
    from && to
      ? await repository.listStaysMatchingImport(scope, {
          property_ids: [...new Set(rows.map((row) => row.property_id))],
          from,
          to,
          codes: rows.flatMap((row) => row.external_id ?? []),
        })
      : [];
  return {
    reading,
    repeated: findRepeatedImportLines(reading.lines, stays.flatMap(getBookingIdentityKeys)),
    properties: names,
  };
}

/** Previews the import of a text. Changes nothing. Throws resource_missing (`property_id`). */
export async function previewReservationImport(
  scope: Scope,
  input: ReservationImportInput,
): Promise<ResultWithUntranslatedRefusals<ReservationImportPreview>> {
  const { reading, repeated, properties } = await plan(scope, input);
  return {
    problem: reading.problem,
    columns: reading.columns,
    lines: reading.lines.map(({ line, shown, problems, row }) => ({
      line,
      shown,
      problems,
      repeated: repeated.get(line) ?? null,
      row: row && { ...row, property_name: properties.get(row.property_id) ?? row.property_id },
    })),
    ready: reading.lines.filter(({ line, row }) => row && !repeated.has(line)).length,
    wrong: reading.lines.filter(({ problems }) => problems.length > 0).length,
  };
}

/**
 * Creates a draft for every line that does not exist yet, in one transaction. A repeated call
 * creates nothing. Throws resource_missing (`property_id`), and invalid_field (`text`) for the
 * first line with a problem.
 */
export async function importReservations(
  scope: Scope,
  input: ReservationImportInput,
): Promise<{ created: number; skipped: number }> {
  return inTransaction(scope, async () => {
    await lockImport(scope, input);
    const { reading, repeated } = await plan(scope, input);
    if (reading.problem) throw new AppError('invalid_field', { param: 'text', message: reading.problem });
    const wrong = reading.lines.find(({ problems }) => problems.length > 0);
    if (wrong) {
      const message = createRefusal('nothing_was_imported', { line: wrong.line, wrong: wrong.problems[0]?.message });
      throw new AppError('invalid_field', { param: 'text', message });
    }
    const rows = reading.lines.flatMap(({ line, row }) => (row && !repeated.has(line) ? row : []));
    await createReservations(scope, rows);
    return { created: rows.length, skipped: repeated.size };
  });
}

/**
 * Makes the second of two identical imports wait for the first. Takes the locks in the order that
 * all code uses: properties, then team.
 */
async function lockImport(scope: Scope, input: ReservationImportInput): Promise<void> {
  const { reading } = await plan(scope, input);
  const properties = new Set(reading.lines.flatMap(({ row }) => row?.property_id ?? []));
  for (const id of [...properties].sort()) await lockPropertyAgainstDeletion(scope, id);
  await lockTeam(scope);
}
