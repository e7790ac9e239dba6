import { authenticate, prisma, refuse } from '../../../../caller';
import { show, withPacket } from '../../../../reservation';

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const caller = await authenticate(request);
  if (!caller) return refuse(401, 'api_key_invalid');
  const { team_id, mode } = caller;
  const { id } = await params;
  const row = await prisma.reservation.findFirst({ where: { id, team_id, mode }, include: withPacket });
  return row ? Response.json(show(row)) : refuse(404, 'resource_missing');
}
