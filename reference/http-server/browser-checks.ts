import { ApiError } from '../errors.ts'
import type { requestChecks } from './request-checks.ts'

const SAFE = ['GET', 'HEAD', 'OPTIONS'] as const

/**
 * Checks of a server whose clients are browsers, which show an administrator's certificate to requests of any page: a
 * change must come from the server's own page, or from a client that is no browser.
 */
export const browserChecks: typeof requestChecks = [
  {
    id: 'request.same-origin',
    why: 'a page from elsewhere could make an administrator’s browser delete agents',
    run: ({ method = '', headers: { origin, host, 'sec-fetch-site': site = 'none' } }) => {
      const isSafe = SAFE.some((one) => one === method)
      const isOwn = origin === undefined || origin === `https://${host}`
      if (isSafe || (isOwn && ['none', 'same-origin'].includes(String(site)))) return undefined
      return new ApiError('not_authorized', 'A page of another origin must not change anything.')
    },
  },
]
