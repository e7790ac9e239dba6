import { authenticateBaselineApiCaller, createErrorResponse, prisma } from '../../../../caller';
import { buildReservationJson, RESERVATION_WITH_PACKETS_INCLUDE } from '../../../../reservation';

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const caller = await authenticateBaselineApiCaller(request);
  if (!caller) return createErrorResponse(401, 'api_key_invalid');
  const { team_id, mode } = caller;
  const { id } = await params;
  const row = await prisma.reservation.findFirst({
    where: { id, team_id, mode },
    include: RESERVATION_WITH_PACKETS_INCLUDE,
  });
  return row ? Response.json(buildReservationJson(row)) : createErrorResponse(404, 'resource_missing');
}
