/**
 * The append-only Merkle tree of RFC 9162 (2.1). A tree is stored as the hashes of its complete
 * subtrees, called nodes. The largest complete subtrees, from left to right, are its peaks. There
 * is one peak for each 1 in the binary form of the tree's size. Pure.
 */
import { createHash } from 'node:crypto';

export interface MerkleNode {
  /** The subtree has 2^level leaves. Its first leaf is number position * 2^level. */
  level: number;
  position: number;
  hash: Buffer;
}

export const MERKLE_HASH_LENGTH_BYTES = 32;

const sha256 = (...parts: Uint8Array[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const hashLeaf = (leaf: Uint8Array): Buffer => sha256(Uint8Array.of(0), leaf);
export const hashNode = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Uint8Array.of(1), left, right);

/** Returns the positions of the peaks of a tree of this size, from left to right. */
export function getMerklePeakPositions(size: number): Omit<MerkleNode, 'hash'>[] {
  const peaks: Omit<MerkleNode, 'hash'>[] = [];
  for (let level = 31; level >= 0; level -= 1)
    if (Math.floor(size / 2 ** level) % 2 === 1) peaks.push({ level, position: Math.floor(size / 2 ** level) - 1 });
  return peaks;
}

/**
 * A subtree of `size` leaves that begins at leaf `start`. It can be incomplete only at the right
 * edge of the tree.
 */
export interface MerkleSubtree {
  start: number;
  size: number;
}

/**
 * Returns the subtrees whose hashes prove that the tree of size `from` is the beginning of the tree
 * of size `to` (RFC 9162, 2.1.4.1).
 */
export function listConsistencySubtrees(from: number, to: number): MerkleSubtree[] {
  if (from === 0 || from === to) return [];
  const proof: MerkleSubtree[] = [];
  let tree: MerkleSubtree = { start: 0, size: to };
  // Whether `tree` begins at leaf 0. If it still does after the loop, it is the smaller tree, whose
  // root hash the verifier already has.
  let is_old_root = true;
  while (tree.start + tree.size !== from) {
    const half = 2 ** (Math.ceil(Math.log2(tree.size)) - 1);
    const left = { start: tree.start, size: half };
    const right = { start: tree.start + half, size: tree.size - half };
    const goes_left = from <= right.start;
    proof.unshift(goes_left ? right : left);
    tree = goes_left ? left : right;
    is_old_root &&= goes_left;
  }
  return is_old_root ? proof : [tree, ...proof];
}

/** Returns the stored nodes that a subtree consists of, from left to right. */
export const getMerkleSubtreeNodes = ({ start, size }: MerkleSubtree): Omit<MerkleNode, 'hash'>[] =>
  getMerklePeakPositions(size).map(({ level, position }) => ({ level, position: start / 2 ** level + position }));

/** Returns the tree's root hash. The root hash of an empty tree is the SHA-256 of no bytes. */
export function computeMerkleRoot(peaks: readonly Uint8Array[]): Buffer {
  const last = peaks.at(-1);
  if (!last) return sha256();
  return peaks.slice(0, -1).reduceRight((right: Buffer, left) => hashNode(left, right), Buffer.from(last));
}

/**
 * Appends a leaf. Returns the leaf's node, the other nodes that it completes, and the new peaks.
 */
export function appendLeafToTree(
  size: number,
  peaks: readonly Uint8Array[],
  leaf: Uint8Array,
): { nodes: MerkleNode[]; peaks: Buffer[] } {
  const left = peaks.map((peak) => Buffer.from(peak));
  let node: MerkleNode = { level: 0, position: size, hash: hashLeaf(leaf) };
  const nodes = [node];
  while (node.position % 2 === 1) {
    const sibling = left.pop();
    if (!sibling) throw new Error(`The tree of ${size} leaves has too few peaks.`);
    node = { level: node.level + 1, position: (node.position - 1) / 2, hash: hashNode(sibling, node.hash) };
    nodes.push(node);
  }
  return { nodes, peaks: [...left, node.hash] };
}

/**
 * Returns the inclusion proof of a tree's last leaf. It consists of the peaks before that leaf was
 * appended.
 */
export const buildLastLeafInclusionProof = (peaks_before: readonly Buffer[]): Buffer[] => [...peaks_before].reverse();
