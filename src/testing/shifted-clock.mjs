/** Preload this file into a test's server to set the server's clock TIME_SHIFT_MS ahead. */
const shift = Number(process.env.TIME_SHIFT_MS ?? 0);
const Real = Date;
const now = () => Real.now() + shift;

globalThis.Date = class ShiftedDate extends Real {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args));
  }
  static now = now;
  // These must be own properties, because Next builds its own Date and does not copy inherited
  // properties.
  static UTC = Real.UTC;
  static parse = Real.parse;
};
