/**
 * The newest checkpoint that this installation signed, stored outside of the database: in this
 * process, in DATA_DIR and in the bucket of STORAGE_URL, if configured. A comparison with this
 * checkpoint shows whether a restored database is older than the log.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '@/config';
import { logger } from '@/infra/logger';
import { storage } from '@/infra/storage/object-store';
import { getLogSigningKeyPair } from './log-key';
import { type Checkpoint, verifyCheckpointNote } from './rules/checkpoint';
import { parseLogEpochNumber } from './rules/epochs';

/** The name of the file in DATA_DIR and in the bucket. */
export const KNOWN_CHECKPOINT_FILE_NAME = 'log-checkpoint';

export interface ExternallyStoredCheckpoint extends Checkpoint {
  epoch: number;
  note: string;
}

interface Slot {
  /**
   * Whether this process loaded the checkpoint. A process that did not load it, such as a test,
   * writes no checkpoints.
   */
  loaded: boolean;
  newest: ExternallyStoredCheckpoint | null;
  /** The write in progress. `stale` is whether a newer checkpoint must be written after it. */
  writing: Promise<void> | null;
  stale: boolean;
}
// The sealing worker and Next load separate copies of this module, which share this state.
const shared = globalThis as typeof globalThis & { __thresholdKnownCheckpoint?: Slot };
const slot = (): Slot =>
  (shared.__thresholdKnownCheckpoint ??= { loaded: false, newest: null, writing: null, stale: false });

function open(note: string): ExternallyStoredCheckpoint | null {
  try {
    const checkpoint = verifyCheckpointNote(note, getLogSigningKeyPair().public);
    return { ...checkpoint, epoch: parseLogEpochNumber(checkpoint.origin), note };
  } catch {
    return null;
  }
}

const isNewer = (one: ExternallyStoredCheckpoint, other: ExternallyStoredCheckpoint | null) =>
  !other || one.epoch > other.epoch || (one.epoch === other.epoch && one.size > other.size);

/** Returns the newest checkpoint that this process knows, or null. */
export const getExternallyStoredCheckpoint = (): ExternallyStoredCheckpoint | null => slot().newest;

/** Clears the state of this process, for tests. */
export function resetExternallyStoredCheckpointInTests(): void {
  shared.__thresholdKnownCheckpoint = undefined;
}

/** Sets the newest checkpoint and writes it in the background. Logs errors. */
export function rememberCheckpoint(note: string): void {
  const checkpoint = slot().loaded ? open(note) : null;
  if (!checkpoint || !isNewer(checkpoint, slot().newest)) return;
  slot().newest = checkpoint;
  slot().stale = true;
  slot().writing ??= write().finally(() => {
    slot().writing = null;
  });
}

/** Resolves when all writes have finished. */
export const waitUntilCheckpointIsStoredExternally = async (): Promise<void> => void (await slot().writing);

async function write(): Promise<void> {
  while (slot().stale) {
    slot().stale = false;
    const note = slot().newest?.note ?? '';
    const failed = (err: unknown) => logger().error({ err }, 'the newest checkpoint of the public log was not stored');
    await toFile(note).catch(failed);
    if (config().storage_url) await storage().put(KNOWN_CHECKPOINT_FILE_NAME, Buffer.from(note)).catch(failed);
  }
}

async function toFile(note: string): Promise<void> {
  const file = join(config().data_dir, KNOWN_CHECKPOINT_FILE_NAME);
  await mkdir(config().data_dir, { recursive: true });
  await writeFile(`${file}.new`, note, { flush: true });
  await rename(`${file}.new`, file);
}

/**
 * Loads the newest checkpoint from DATA_DIR and the bucket. Ignores checkpoints that this
 * installation did not sign.
 */
export async function loadExternallyStoredCheckpoint(): Promise<ExternallyStoredCheckpoint | null> {
  slot().loaded = true;
  const notes = [
    await readFile(join(config().data_dir, KNOWN_CHECKPOINT_FILE_NAME), 'utf8').catch(() => ''),
    config().storage_url
      ? await storage()
          .get(KNOWN_CHECKPOINT_FILE_NAME)
          .then(String)
          .catch(() => '')
      : '',
  ];
  for (const note of notes) {
    const checkpoint = open(note);
    if (checkpoint && isNewer(checkpoint, slot().newest)) slot().newest = checkpoint;
  }
  return slot().newest;
}
