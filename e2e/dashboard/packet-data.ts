/**
 * Creates and reads packets for the dashboard's specs. Uses the dashboard's procedures in test
 * mode.
 */
import type { Page } from '@playwright/test';
import { callTrpcMutation, callTrpcQuery, makePropertyWithoutRules } from './support';

interface Packet {
  id: string;
  property_id: string;
  rules: { id: string; text: string; category: string | null }[];
  fees: { label: string; amount_cents: number; type: string | null }[];
  welcome_message: string | null;
  arrival_release: Record<string, string>;
}

/** Creates a property with a packet that has content. Each test uses its own property. */
export async function makePacket(page: Page, name: string): Promise<{ property: string; packet: string }> {
  const property = await makePropertyWithoutRules(page, 'test', name);
  const packet = await listTestModePacketsOfProperty(page, property).then((all) => all[0] as Packet);
  await callTrpcMutation(page, 'test', 'packets.update', {
    id: packet.id,
    currency: 'EUR',
    welcome_message: 'Hello {{guest_name}}',
    rules: [
      { text: 'No smoking indoors.', category: 'Smoking' },
      { text: 'Quiet after ten.', category: 'Noise' },
      { text: 'Take the rubbish out.', category: 'Trash' },
    ],
    fees: [{ label: 'Late check-out', amount_cents: 5000, unit: 'per hour' }],
    arrival_details: { door_code: '4711' },
  });
  return { property, packet: packet.id };
}

export const listTestModePacketsOfProperty = async (page: Page, id: string) =>
  (await callTrpcQuery<{ data: Packet[] }>(page, 'test', 'packets.list', { id })).data;
export const retrieveTestModePacket = (page: Page, id: string) =>
  callTrpcQuery<Packet>(page, 'test', 'packets.retrieve', { id });
