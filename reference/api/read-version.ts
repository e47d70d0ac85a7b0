import type { Handler } from './call.ts'
import { type ApiVersion, currentOf } from './versions.ts'

/** GET /version: lists the served versions. */
export function readVersion(served: readonly ApiVersion[]): Handler {
  return () => ({ body: { current_version: currentOf(served), supported_versions: served } })
}

/** GET /v3.0/ and GET /: an empty success shows that the version is served. */
export const probeVersion: Handler = () => ({})
