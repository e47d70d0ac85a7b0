import type { IncomingMessage } from 'node:http'

/**
 * The value of `Authorization` as it stands on the wire; undefined without the header, the empty text when it is
 * empty. Node keeps the first of several lines alone, and who is asking must not depend on which line a proxy
 * looked at: several are joined as RFC 9110, 5.2 joins a list, which is no credential.
 */
export function authorizationOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>) {
  const values = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization',
  )
  return values.length === 0 ? undefined : values.join(', ')
}
