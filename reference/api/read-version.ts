import type { Handler } from './call.ts'
import { CURRENT_VERSION, SERVED_VERSIONS } from './versions.ts'

/** GET /version: what is listed is what is served. */
export const readVersion: Handler = () => ({
  body: { current_version: CURRENT_VERSION, supported_versions: SERVED_VERSIONS },
})

/** GET /v3.0/ and GET /: the answer is that there is one. */
export const probeVersion: Handler = () => ({})
