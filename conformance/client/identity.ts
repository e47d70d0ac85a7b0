/** The identity of a client: its name in the transcript, certificate and token. */
export interface Credentials {
  readonly name: string
  /** Client certificate and key in PEM; absent for none. */
  readonly certificate?: { readonly cert: string; readonly key: string; readonly subject: string }
  /** Value of the `Authorization` header, or several for repeated header lines; absent for none. */
  readonly authorization?: string | readonly string[]
  /** All requests of a scenario with this certificate, or without one, use one connection of its own. */
  readonly connection?: 'own'
}

export const ANONYMOUS: Credentials = { name: 'anonymous' }

/** The same credentials with this `Authorization` header. */
export function withAuthorization(credentials: Credentials, authorization: string): Credentials {
  return { ...credentials, name: `${credentials.name} with a bearer token`, authorization }
}

export function bearer(token: string): string {
  return `Bearer ${token}`
}

/** The same credentials on a connection of the scenario, which other credentials with the same certificate share. */
export function onOneConnection(credentials: Credentials): Credentials {
  return { ...credentials, connection: 'own' }
}
