import type { Route } from '../../api/routes/route.ts'
import { ACTIONS } from '../../authorization/actions.ts'

/** Four keys and certificates at their greatest, with room to spare. */
const MESSAGE = 512 * 1024

/** A hundred thousand IMA entries; whoever has an identity may send what `max_upload_size` allows. */
const LOGS_OF_A_STRANGER = 16 * 1024 * 1024

/** How many bytes of body are read for a route, in bytes; it is decided before anybody has proved anything. */
export function bodyLimitOf(route: Route, maxUploadSize: number): number {
  if (route.body !== 'logs') return Math.min(MESSAGE, maxUploadSize)
  const isPublic = ACTIONS[route.action] === 'public'
  return isPublic ? Math.min(LOGS_OF_A_STRANGER, maxUploadSize) : maxUploadSize
}
