/**
 * The kinds of failure of an outbound request. The account owner sees them at delivery attempts and
 * calendar runs.
 */

import { createRefusal, type Refusal } from '@/shared/refusals/refusal';

export type OutboundErrorKind =
  | 'dns'
  | 'tls'
  | 'timeout'
  | 'refused'
  | 'redirect'
  | 'blocked_address'
  | 'reset'
  | 'body_too_large'
  | 'protocol';

export interface OutboundErrorDetails {
  /** The status that arrived before the failure, if any. */
  status?: number | null;
  duration_ms?: number;
  cause?: unknown;
}

/**
 * The error of an outbound request without a usable response. The message is for the account owner.
 */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind;
  readonly status: number | null;
  readonly duration_ms: number;

  constructor(
    kind: OutboundErrorKind,
    readonly problem: Refusal,
    details: OutboundErrorDetails = {},
  ) {
    super(String(problem), { cause: details.cause });
    this.name = 'OutboundError';
    this.kind = kind;
    this.status = details.status ?? null;
    this.duration_ms = details.duration_ms ?? 0;
  }
}

const KIND_OF_CODE: Record<string, 'dns' | 'refused' | 'timeout' | 'reset' | 'tls'> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  UND_ERR_SOCKET: 'reset',
  EPROTO: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  INVALID_PURPOSE: 'tls',
};

/** Matches the codes of failed certificate and TLS checks in OpenSSL and Node. */
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERROR_IN_CERT|PATH_LENGTH|INVALID_CA)/;

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return 'cause' in error ? codeOf(error.cause) : null;
}

/**
 * Converts errors of undici, net, tls and zlib to OutboundError. An OutboundError keeps its kind.
 */
export function toOutboundError(
  error: unknown,
  details: { status: number | null; duration_ms: number },
): OutboundError {
  if (error instanceof OutboundError) {
    return new OutboundError(error.kind, error.problem, {
      ...details,
      status: error.status ?? details.status,
      cause: error.cause,
    });
  }
  const code = codeOf(error);
  const kind = code === null ? 'protocol' : (KIND_OF_CODE[code] ?? (TLS_CODE.test(code) ? 'tls' : 'protocol'));
  // Only the message for TLS contains the code, because the owner needs the code to fix a
  // certificate.
  const problem = kind === 'tls' ? createRefusal('outbound.tls', { code }) : createRefusal(`outbound.${kind}`);
  return new OutboundError(kind, problem, { ...details, cause: error });
}
