import type { Route } from '../../api/routes/route.ts'
import { ACTIONS } from '../../authorization/actions.ts'

/** Four keys and certificates of the largest size, with a margin. */
const MESSAGE = 512 * 1024

/** A hundred thousand IMA entries; an authenticated client may send what `max_upload_size` allows. */
const LOGS_OF_A_STRANGER = 16 * 1024 * 1024

/** How many bytes of body are read for a route, in bytes; it is decided before authentication. */
export function bodyLimitOf(route: Route, maxUploadSize: number): number {
  if (route.body !== 'logs') return Math.min(MESSAGE, maxUploadSize)
  const isPublic = ACTIONS[route.action] === 'public'
  return isPublic ? Math.min(LOGS_OF_A_STRANGER, maxUploadSize) : maxUploadSize
}
