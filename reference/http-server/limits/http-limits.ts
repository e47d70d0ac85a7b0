import type { ListeningConfig } from '../../config/config.ts'

/** Limits of a server for all clients together, and for each of them. Times in milliseconds, sizes in bytes. */
export interface HttpLimits {
  readonly connections: number
  /** Of these, how many one address may have. */
  readonly connectionsOfAddress: number
  readonly requestsOfConnection: number
  readonly headerSize: number
  readonly bodySize: number
  /** Bytes of bodies of requests that need no credential, at a time. */
  readonly publicBodies: number
  readonly handshakeTime: number
  readonly headerTime: number
  readonly requestTime: number
}

/** The part of a connection's limit that one address never gets: others are always served. */
const SHARE_OF_OTHERS = 0.25

/** More requests than any client of the interface sends over one connection. */
const REQUESTS_OF_CONNECTION = 10_000

export function httpLimitsOf(config: ListeningConfig): HttpLimits {
  return {
    connections: config.max_connections,
    connectionsOfAddress: config.max_connections_per_address,
    requestsOfConnection: REQUESTS_OF_CONNECTION,
    headerSize: config.max_header_size,
    bodySize: config.max_upload_size,
    publicBodies: config.max_public_bodies,
    handshakeTime: config.handshake_timeout * 1000,
    headerTime: config.header_timeout * 1000,
    requestTime: config.request_timeout * 1000,
  }
}

/** Files that a component has open besides its connections: databases, standard streams, the listener. */
const OTHER_FILES = 64

interface Affordable {
  readonly limits: HttpLimits
  /** Note for the operator if the connection limit is lower than configured. */
  readonly warning?: string
}

/**
 * The limits, reduced to the open-file limit of this process, and with a share that one address never
 * takes from the others. `files` is that limit, undefined where it is not known.
 */
export function affordableLimits(asked: HttpLimits, files: number | undefined): Affordable {
  const carried = files === undefined ? asked.connections : Math.max(1, files - OTHER_FILES)
  const connections = Math.min(asked.connections, carried)
  const most = Math.ceil(connections * (1 - SHARE_OF_OTHERS))
  const limits = {
    ...asked,
    connections,
    connectionsOfAddress: Math.min(asked.connectionsOfAddress, most),
  }
  if (connections === asked.connections) return { limits }
  const warning = `max_connections is ${asked.connections}, but this process may open ${files} files only, so it takes ${connections}: raise ulimit -n to ${asked.connections + OTHER_FILES}, or lower max_connections`
  return { limits, warning }
}
