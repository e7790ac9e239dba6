/**
 * The values of the messages in messages/en.json:
 * `npx vitest run src/shared/language/messages.test.ts -u`.
 */
export interface MessageValues {
  lead: { name: string; date: string; property: string; checkin: string; checkout: string };
  signed_by: { name: string };
  email_confirmed_at: { address: string; time: string };
  acknowledged_intro: { packet: string; language: string };
  accepted_at: { time: string };
  wording_version: { version: string };
  embedded_in: { origin: string };
  page: { page: string; pages: string };
}
