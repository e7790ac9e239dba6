/**
 * The values of the messages in messages/en.json:
 * `npx vitest run src/shared/language/messages.test.ts -u`.
 */
export interface MessageValues {
  'stay.nights': { count: number };
  'sign.page_title': { property: string };
  'sign.greeting': { guest: string };
  'sign.heading': { property: string };
  'sign.lead': { count: number };
  'errors.title': { count: number };
  'code.explain': { email: string };
  'code.sent': { email: string; minutes: number };
  'review.rules': { count: number };
  'review.fees': { count: number };
  'done.page_title': { property: string };
  'done.signed_by': { name: string; date: string };
  'done.confirmed_on': { date: string };
  'done.next_arrive': { date: string };
  'contact.page_title': { property: string };
  'state.restored': { date: string };
  'state.reference': { reference: string };
  'copy.page_title': { property: string };
  'copy.consent': { version: string };
  'verify.content.differs': { columns: string };
  'verify.chain.intact': { count: number };
  'verify.chain.sealed': { count: number };
  'verify.chain.broken': { entry: number };
  'verify.seal.sealed': { date: string };
  'verify.log.included': { number: number };
  'verify.timestamp.known': { authority: string; date: string };
  'verify.timestamp.unknown': { authority: string; date: string };
  'verify.timestamp.implausible': { authority: string; date: string };
  'verify.sealer_note': { from: string; to: string };
  'mail.hello': { guest: string };
  'mail.packet.subject': { property: string };
  'mail.packet.body': { property: string };
  'mail.packet.statement': { statement: string };
  'mail.reminder_24h.subject': { property: string };
  'mail.reminder_24h.body': { property: string };
  'mail.reminder_2h.subject': { property: string };
  'mail.reminder_2h.body': { property: string };
  'mail.code.subject': { code: string; property: string };
  'mail.code.expires': { minutes: number };
  'mail.copy.body': { property: string };
  'mail.why': { property: string };
}
