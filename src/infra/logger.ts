/**
 * Structured logs. Code never logs a secret on purpose. As a second safeguard, fields that could
 * contain one are redacted.
 */
import pino, { type Logger } from 'pino';
import { config } from '@/config';
import { toReadableStackTrace } from './readable-stack';

const slot = globalThis as typeof globalThis & { __thresholdLogger?: Logger };

/**
 * Returns the process's logger. Pass the object first: `logger().info({ request_id }, 'request
 * failed')`.
 */
export function logger(): Logger {
  slot.__thresholdLogger ??= pino({
    level: config().log_level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: readableError },
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

function readableError(error: unknown): unknown {
  const told = pino.stdSerializers.err(error as Error);
  return typeof told?.stack === 'string' ? { ...told, stack: toReadableStackTrace(told.stack) } : told;
}
