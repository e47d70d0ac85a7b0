import type { ApiVersion } from '../../../api/versions.ts'
import { type VersionOrder, versionsToTry } from '../../registration/negotiate-version.ts'

/**
 * Push mode is of 3.0, and so is the first try to register where both have it; the next try is of the registrar's own
 * current version, and so on in turns: there are registrars that list 3.0 and cannot serve it (ambiguity SAMEREG). One
 * try is one registration, unless the registrar does not list its versions.
 */
export function versionOfTry(failures: number): VersionOrder {
  return (reply, ours) => {
    const usual = versionsToTry(reply, ours)
    if (usual.length !== 1) return usual
    const turns: readonly ApiVersion[] = [...new Set([...newest(reply, ours), ...usual])]
    return turns.slice(failures % turns.length, (failures % turns.length) + 1)
  }
}

function newest(reply: Parameters<VersionOrder>[0], ours: readonly ApiVersion[]) {
  const { supported_versions } = (reply.body as VersionBody).results
  return ours.filter((version) => version === '3.0' && supported_versions.includes(version))
}

/** As it was read before. */
interface VersionBody {
  readonly results: { readonly supported_versions: readonly string[] }
}
