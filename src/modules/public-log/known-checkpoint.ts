/**
 * The newest checkpoint signed by this installation, stored outside of the database, because a
 * database restored from a backup does not show that it is older than the log. The checkpoint is
 * stored in this process, in DATA_DIR and, if configured, in the bucket of STORAGE_URL, which all
 * instances share.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '@/config';
import { logger } from '@/infra/logger';
import { storage } from '@/infra/storage/object-store';
import { logKey } from './log-key';
import { type Checkpoint, openCheckpoint } from './rules/checkpoint';
import { parseEpoch } from './rules/epochs';

/** The name of the file in DATA_DIR, and the key in the bucket. */
export const CHECKPOINT_FILE = 'log-checkpoint';

export interface KnownCheckpoint extends Checkpoint {
  epoch: number;
  note: string;
}

interface Slot {
  /**
   * Whether this process loaded the checkpoint. Tests and commands that did not load it store
   * nothing.
   */
  loaded: boolean;
  newest: KnownCheckpoint | null;
  /** The write in progress, and whether a newer checkpoint must be written after it. */
  writing: Promise<void> | null;
  stale: boolean;
}
// The sealing worker and Next each have a copy of this module.
const shared = globalThis as typeof globalThis & { __thresholdKnownCheckpoint?: Slot };
const slot = (): Slot =>
  (shared.__thresholdKnownCheckpoint ??= { loaded: false, newest: null, writing: null, stale: false });

function open(note: string): KnownCheckpoint | null {
  try {
    const checkpoint = openCheckpoint(note, logKey().public);
    return { ...checkpoint, epoch: parseEpoch(checkpoint.origin), note };
  } catch {
    return null;
  }
}

const isNewer = (one: KnownCheckpoint, other: KnownCheckpoint | null) =>
  !other || one.epoch > other.epoch || (one.epoch === other.epoch && one.size > other.size);

/**
 * Returns the newest checkpoint known to this process. Null before `loadKnownCheckpoint` found one.
 */
export const getKnownCheckpoint = (): KnownCheckpoint | null => slot().newest;

/** Clears this process's state, for tests. */
export function forgetKnownCheckpoint(): void {
  shared.__thresholdKnownCheckpoint = undefined;
}

/** Remembers a checkpoint and writes it in the background. Errors are logged. */
export function rememberCheckpoint(note: string): void {
  const checkpoint = slot().loaded ? open(note) : null;
  if (!checkpoint || !isNewer(checkpoint, slot().newest)) return;
  slot().newest = checkpoint;
  slot().stale = true;
  slot().writing ??= write().finally(() => {
    slot().writing = null;
  });
}

/** Resolves when all writes are finished. */
export const flushKnownCheckpoint = async (): Promise<void> => void (await slot().writing);

async function write(): Promise<void> {
  while (slot().stale) {
    slot().stale = false;
    const note = slot().newest?.note ?? '';
    const failed = (err: unknown) => logger().error({ err }, 'the newest checkpoint of the public log was not stored');
    await toFile(note).catch(failed);
    if (config().storage_url) await storage().put(CHECKPOINT_FILE, Buffer.from(note)).catch(failed);
  }
}

async function toFile(note: string): Promise<void> {
  const file = join(config().data_dir, CHECKPOINT_FILE);
  await mkdir(config().data_dir, { recursive: true });
  await writeFile(`${file}.new`, note, { flush: true });
  await rename(`${file}.new`, file);
}

/**
 * Reads the newest checkpoint from its locations. Ignores checkpoints that this installation did
 * not sign.
 */
export async function loadKnownCheckpoint(): Promise<KnownCheckpoint | null> {
  slot().loaded = true;
  const notes = [
    await readFile(join(config().data_dir, CHECKPOINT_FILE), 'utf8').catch(() => ''),
    config().storage_url
      ? await storage()
          .get(CHECKPOINT_FILE)
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
