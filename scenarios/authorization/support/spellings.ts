/** Paths that a verifier may take for the printed one: under the other prefix of 3.0, with a slash at the end, and others. */
export const SPELLINGS: readonly (readonly [says: string, spell: (path: string) => string])[] = [
  ['under /v3', (path) => `/v3${path}`],
  ['under /v3.0', (path) => `/v3.0${path}`],
  ['under /v3, with a slash at its end', (path) => `/v3${path}/`],
  ['under /v3.0, with a slash at its end', (path) => `/v3.0${path}/`],
  ['with a capital V', (path) => `/V3${path}`],
  ['with two slashes after the version', (path) => `/v3/${path}`],
  ['with an encoded letter', (path) => `/v3${path.replace('/a', '/%61')}`],
  ['with a query', (path) => `/v3${path}?x=/version`],
]

/** The requirements of a client without a right to the attestations of an agent. */
export interface Refusals {
  readonly list: string
  readonly read: string
  readonly post: string
}

export const REFUSALS = {
  anonymous: {
    list: 'AUT-LIST-ATTESTATIONS-ANONYMOUS',
    read: 'AUT-READ-LATEST-ANONYMOUS',
    post: 'AUT-POST-CAPABILITIES-ANONYMOUS',
  },
  other: {
    list: 'AUT-LIST-ATTESTATIONS-OTHER',
    read: 'AUT-AGENT-READS-NO-OTHER',
    post: 'AUT-IDENTITY-EQUALS-RESOURCE',
  },
  unknown: {
    list: 'AUT-LIST-ATTESTATIONS-BAD-TOKEN',
    read: 'AUT-READ-LATEST-BAD-TOKEN',
    post: 'AUT-POST-CAPABILITIES-BAD-TOKEN',
  },
} as const satisfies Readonly<Record<string, Refusals>>
