/** Structured logs. What could hold a secret is redacted here as well as never passed. */
import pino, { type Logger } from 'pino';
import { config } from '@/config';

const slot = globalThis as typeof globalThis & { __thresholdLogger?: Logger };

/** The process's logger. Log with an object first: `logger().info({ request_id }, 'request failed')`. */
export function logger(): Logger {
  slot.__thresholdLogger ??= pino({
    level: config().log_level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'authorization',
        '*.authorization',
        'secret',
        '*.secret',
        'token',
        '*.token',
        'password',
        '*.password',
        'key',
        '*.key',
      ],
      censor: '[redacted]',
    },
  });
  return slot.__thresholdLogger;
}
