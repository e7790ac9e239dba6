/** Why an outbound request failed, in the kinds a delivery attempt or a calendar run shows to the account owner. */

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
  /** The status line that had arrived before it failed, if any. */
  status?: number | null;
  duration_ms?: number;
  cause?: unknown;
}

/** An outbound request that got no usable answer. The message is fit for the account owner to read. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind;
  readonly status: number | null;
  readonly duration_ms: number;

  constructor(kind: OutboundErrorKind, message: string, details: OutboundErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'OutboundError';
    this.kind = kind;
    this.status = details.status ?? null;
    this.duration_ms = details.duration_ms ?? 0;
  }
}

const KIND_OF_CODE: Record<string, OutboundErrorKind> = {
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

/** OpenSSL's verification errors and Node's own: none of these words occurs in another kind's code. */
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERROR_IN_CERT|PATH_LENGTH|INVALID_CA)/;

const MESSAGE_OF_KIND: Record<OutboundErrorKind, string> = {
  dns: 'The host name could not be resolved.',
  tls: 'The TLS connection could not be made',
  timeout: 'The server did not answer in time.',
  refused: 'The connection was refused or the host is unreachable.',
  redirect: 'The server answered with a redirect.',
  blocked_address: 'The host’s address is private or reserved.',
  reset: 'The server closed the connection before its answer was complete.',
  body_too_large: 'The answer is too large.',
  protocol: 'The server’s answer is not valid HTTP.',
};

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return 'cause' in error ? codeOf(error.cause) : null;
}

/** Turns whatever undici, net, tls or zlib threw into an OutboundError; one that already is keeps its kind. */
export function toOutboundError(
  error: unknown,
  details: { status: number | null; duration_ms: number },
): OutboundError {
  if (error instanceof OutboundError) {
    return new OutboundError(error.kind, error.message, {
      ...details,
      status: error.status ?? details.status,
      cause: error.cause,
    });
  }
  const code = codeOf(error);
  const kind = code === null ? 'protocol' : (KIND_OF_CODE[code] ?? (TLS_CODE.test(code) ? 'tls' : 'protocol'));
  // The owner mends a certificate by its exact fault; the other kinds say all there is in their sentence.
  const message = kind === 'tls' ? `${MESSAGE_OF_KIND.tls} (${code}).` : MESSAGE_OF_KIND[kind];
  return new OutboundError(kind, message, { ...details, cause: error });
}
