import { expect, it } from 'vitest';
import { findUnscopedColumns } from './scoped-sql';

const scope = { team_id: 'team_1', mode: 'live' };
const values = ['team_1', 'live', 'team_2', 'x'];
const open = (text: string) => findUnscopedColumns({ text, values }, scope);

it.each([
  ['SELECT id FROM properties WHERE team_id = $1 AND mode = $2::"Mode"'],
  ['SELECT p.id FROM properties p WHERE $1 = p.team_id AND p.mode = $2 AND (p.id = $4 OR p.name = $4)'],
  [
    'SELECT 1 FROM reservations r JOIN properties p ON p.id = r.property_id AND p.team_id = r.team_id AND p.mode = r.mode WHERE r.team_id = $1 AND r.mode = $2',
  ],
  [
    'SELECT 1 FROM reservations r WHERE r.team_id = $1 AND r.mode = $2 AND EXISTS (SELECT 1 FROM packets k WHERE k.team_id = r.team_id AND k.mode = r.mode)',
  ],
  ['WITH a AS (SELECT id FROM events WHERE team_id = $1 AND mode = $2) SELECT * FROM a'],
  ['UPDATE packets SET name = $4 WHERE team_id = $1 AND mode = $2'],
  ['DELETE FROM sync_runs WHERE team_id = $1 AND mode = $2'],
  [
    'INSERT INTO event_counters (team_id, mode, value) VALUES ($1, $2::"Mode", 1) ON CONFLICT (team_id, mode) DO NOTHING',
  ],
  ['INSERT INTO events (id, team_id, mode) SELECT a.id, $1, $2 FROM (VALUES (1)) AS a(id)'],
  [
    'SELECT 1 FROM (SELECT * FROM reservations WHERE team_id = $1 AND mode = $2 LIMIT 1) r LEFT JOIN packets k ON k.team_id = r.team_id AND k.mode = r.mode',
  ],
  [
    'WITH hits AS (SELECT r.* FROM reservations r WHERE r.team_id = $1 AND r.mode = $2) SELECT 1 FROM (SELECT * FROM hits h) r JOIN packets k ON k.team_id = r.team_id AND k.mode = r.mode',
  ],
  [
    'SELECT 1 FROM events e LEFT JOIN LATERAL (SELECT 1 FROM webhook_deliveries w WHERE w.team_id = e.team_id AND w.mode = e.mode) d ON true WHERE e.team_id = $1 AND e.mode = $2',
  ],
  ['SELECT * FROM audit_logs WHERE team_id = $1'],
  ['SELECT 1 FROM teams'],
])('accepts %s', (text) => expect(open(text)).toEqual([]));

it.each([
  ['SELECT id FROM properties WHERE team_id = $1', ['properties.mode']],
  ['SELECT id FROM properties WHERE team_id = $3 AND mode = $2', ['properties.team_id']],
  ['SELECT id FROM properties WHERE team_id = $1 AND mode = $2 OR id = $4', ['properties.mode', 'properties.team_id']],
  ['SELECT id FROM properties WHERE NOT (team_id = $1) AND mode = $2', ['properties.team_id']],
  ['SELECT id FROM properties WHERE team_id <> $1 AND mode = $2', ['properties.team_id']],
  [
    'SELECT 1 FROM reservations r JOIN properties p ON p.id = r.property_id WHERE r.team_id = $1 AND r.mode = $2',
    ['properties.mode', 'properties.team_id'],
  ],
  [
    'SELECT (SELECT count(*) FROM packets k WHERE k.team_id = $1) FROM reservations r WHERE r.team_id = $1 AND r.mode = $2',
    ['packets.mode'],
  ],
  ['WITH a AS (SELECT id FROM events) SELECT * FROM a', ['events.mode', 'events.team_id']],
  [
    'SELECT id FROM events WHERE team_id = $1 AND mode = $2 UNION SELECT id FROM packets',
    ['packets.mode', 'packets.team_id'],
  ],
  [
    'UPDATE packets k SET name = $4 FROM properties p WHERE p.team_id = $1 AND p.mode = $2',
    ['packets.mode', 'packets.team_id'],
  ],
  [
    'SELECT 1 FROM (SELECT id FROM reservations WHERE team_id = $1 AND mode = $2) r JOIN packets k ON k.team_id = r.team_id AND k.mode = r.mode',
    ['packets.mode', 'packets.team_id'],
  ],
  [
    'SELECT 1 FROM events e LEFT JOIN LATERAL (SELECT 1 FROM webhook_deliveries w WHERE w.event_id = e.id) d ON true WHERE e.team_id = $1 AND e.mode = $2',
    ['webhook_deliveries.mode', 'webhook_deliveries.team_id'],
  ],
  [
    'WITH hits AS (SELECT * FROM reservations) SELECT 1 FROM hits r JOIN packets k ON k.team_id = r.team_id AND k.mode = r.mode',
    ['packets.mode', 'packets.team_id', 'reservations.mode', 'reservations.team_id'],
  ],
  ['SELECT 1 WHERE EXISTS (SELECT 1 FROM packets)', ['packets.mode', 'packets.team_id']],
  ['DELETE FROM sync_runs WHERE id = $4', ['sync_runs.mode', 'sync_runs.team_id']],
  ['INSERT INTO events (id, team_id, mode) VALUES ($4, $3, $2)', ['events.team_id']],
  ['INSERT INTO events (id, team_id) VALUES ($4, $1)', ['events.mode']],
])('finds the missing scope in %s', (text, tables) => expect(open(text)).toEqual(tables));
