import type { Handler } from './call.ts'
import { type ApiVersion, currentOf } from './versions.ts'

/** GET /version: lists the served versions. */
export function readVersion(served: readonly ApiVersion[]): Handler {
  return () => ({ body: { current_version: currentOf(served), supported_versions: served } })
}

/** GET /v3.0/ and GET /: the answer is that there is one. */
export const probeVersion: Handler = () => ({})
