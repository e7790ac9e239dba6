/** Requests cosignatures of the log's newest checkpoint from the witnesses of LOG_WITNESSES. */
import { config } from '@/config';
import { safeFetch } from '@/infra/outbound/client';
import * as repository from './repository';
import { computeMerkleRoot, getMerkleSubtreeNodes, listConsistencySubtrees } from './rules/merkle';
import { buildCosignatureRequest, findCosignatureLine, type LogWitness, parseLogWitness } from './rules/witness';

/** The maximum size of a witness's response. It allows sixteen signatures of any kind. */
const MAX_ANSWER_BYTES = 128 * 1024;

type Entry = NonNullable<Awaited<ReturnType<typeof repository.findLastLogEntry>>>;

/**
 * Requests the missing cosignatures of the newest checkpoint and stores them. Returns how many
 * cosignatures the checkpoint now has. Contacts all witnesses. If one of them failed, throws at the
 * end, so that the job is retried.
 */
export async function requestCosignatures(): Promise<number> {
  const witnesses = config().log_witnesses.map(parseLogWitness);
  const head = witnesses.length > 0 ? await repository.findLastLogEntry() : null;
  if (!head) return 0;
  const answers = await Promise.allSettled(
    witnesses.map(async (witness) => {
      const stored = findCosignatureLine(witness, head.checkpoint, head.cosignatures ?? '');
      return stored ?? (await cosign(witness, head));
    }),
  );
  const lines = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (lines.length > 0) await repository.saveTimestampOrCosignaturesOfLogEntry(head, { cosignatures: lines.join('') });
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  return lines.length;
}

/**
 * Returns the witnesses that did not sign the newest cosigned checkpoint, and the size of its tree.
 */
export async function listWitnessesWithoutCosignature(): Promise<{ missing: string[]; size: number }> {
  const head = await repository.findLastLogEntry();
  const entry = head && (await repository.findNewestLogEntryWhereFieldIsSet('cosignatures', head.epoch));
  const witnesses = config().log_witnesses.map(parseLogWitness);
  const missing = witnesses.filter(
    (each) => !entry || !findCosignatureLine(each, entry.checkpoint, entry.cosignatures ?? ''),
  );
  return { missing: missing.map(({ name }) => name), size: entry ? entry.position + 1 : 0 };
}

/**
 * Returns a witness's cosignature line. A 409 response contains the size of the witness's last
 * tree. In that case the request is repeated with a proof from that size.
 */
async function cosign(witness: LogWitness, head: Entry): Promise<string> {
  let answer = await post(witness, head, 0);
  if (answer.status === 409) {
    const size = /^(0|[1-9]\d{0,9})\n$/.exec(answer.text)?.[1];
    if (!size) throw new Error(`The witness ${witness.name} answered 409 without the size of its tree.`);
    if (Number(size) > head.position + 1)
      throw new Error(`The witness ${witness.name} has cosigned ${size} entries; this log has ${head.position + 1}.`);
    answer = await post(witness, head, Number(size));
  }
  if (answer.status !== 200) throw new Error(`The witness ${witness.name} answered ${answer.status}.`);
  const line = findCosignatureLine(witness, head.checkpoint, answer.text);
  if (!line) throw new Error(`The witness ${witness.name} answered without a valid cosignature.`);
  return line;
}

async function post(witness: LogWitness, head: Entry, old_size: number): Promise<{ status: number; text: string }> {
  const proof = await Promise.all(
    listConsistencySubtrees(old_size, head.position + 1).map(async (subtree) =>
      computeMerkleRoot(await repository.findMerkleNodes('installation', head.epoch, getMerkleSubtreeNodes(subtree))),
    ),
  );
  const { status, body } = await safeFetch(`${witness.url.replace(/\/$/, '')}/add-checkpoint`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body: Buffer.from(buildCosignatureRequest(old_size, proof, head.checkpoint)),
    timeout_ms: 15_000,
    max_body_bytes: MAX_ANSWER_BYTES,
    body_policy: 'whole',
    // The operator configured this address, so it may be in a private network.
    allow_loopback: true,
  });
  return { status, text: body.toString('utf8') };
}
