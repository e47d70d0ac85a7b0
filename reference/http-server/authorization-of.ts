import type { IncomingMessage } from 'node:http'

/**
 * The value of `Authorization` as received; undefined without the header, the empty text if it is
 * empty. Node keeps only the first of several lines, and the identity must not depend on which line a proxy
 * looked at: several are joined as RFC 9110, 5.2 joins a list, which is no credential.
 */
export function authorizationOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>) {
  const values = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization',
  )
  return values.length === 0 ? undefined : values.join(', ')
}
