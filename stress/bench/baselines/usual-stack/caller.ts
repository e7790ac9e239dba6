/** Authenticates the caller. Looks up the key by its hash for every request. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ulid } from 'ulid';
import { type Mode, PrismaClient } from '@/generated/prisma/client';

export interface BaselineApiCaller {
  key_id: string;
  team_id: string;
  mode: Mode;
}

export const prisma = new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 }),
});
export const computeSha256Hash = (text: string) => createHash('sha256').update(text).digest();
export const createId = (prefix: string) => prefix + ulid().toLowerCase();
export const createErrorResponse = (status: number, code: string) => Response.json({ error: { code } }, { status });

export async function authenticateBaselineApiCaller(request: Request): Promise<BaselineApiCaller | null> {
  const header = request.headers.get('authorization') ?? '';
  const key = /^Bearer (service_(?:live|test)_(?:sk|rk)_([0-9A-Za-z]{32,128}))$/.exec(header);
  if (!key?.[1] || !key[2]) return null;
  const row = await prisma.apiKey.findUnique({ where: { prefix: key[2].slice(0, 12) }, include: { team: true } });
  if (!row || row.revoked_at || (row.expires_at && row.expires_at < new Date())) return null;
  if (!timingSafeEqual(computeSha256Hash(key[1]), Buffer.from(row.hash, 'hex'))) return null;
  return { key_id: row.id, team_id: row.team_id, mode: row.mode };
}
