/** Calendar days between the database's `date` (a Date at midnight UTC) and the API's `2026-12-24`. No zone is involved. */
export function dayToText(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** `2026-12-24` as the database wants it. */
export function textToDay(text: string): Date {
  return new Date(`${text}T00:00:00.000Z`);
}
