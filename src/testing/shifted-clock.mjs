/** Preloaded into a server of a test: it is TIME_SHIFT_MS later there than it is. */
const shift = Number(process.env.TIME_SHIFT_MS ?? 0);
const Real = Date;
const now = () => Real.now() + shift;

globalThis.Date = class ShiftedDate extends Real {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args));
  }
  static now = now;
  // Its own, since Next makes a Date of its own of what is not inherited.
  static UTC = Real.UTC;
  static parse = Real.parse;
};
