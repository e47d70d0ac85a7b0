/** Who speaks: in words for the transcript, and with which credentials. */
export interface Credentials {
  readonly name: string
  /** Client certificate and key in PEM; absent when none is shown. */
  readonly certificate?: { readonly cert: string; readonly key: string; readonly subject: string }
  /** Value of the `Authorization` header, or several that are sent in lines of their own; absent when none is. */
  readonly authorization?: string | readonly string[]
}

export const ANONYMOUS: Credentials = { name: 'anonymous' }

/** The same speaker with an `Authorization` header of that value. */
export function withAuthorization(credentials: Credentials, authorization: string): Credentials {
  return { ...credentials, name: `${credentials.name} with a bearer token`, authorization }
}

export function bearer(token: string): string {
  return `Bearer ${token}`
}
