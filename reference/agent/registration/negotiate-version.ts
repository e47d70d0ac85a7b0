import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { ApiVersion } from '../../api/versions.ts'
import { StartFault } from '../../errors.ts'
import type { JsonReply } from '../../http-client/json-client.ts'
import { NoRegistrar } from './no-registrar.ts'

const VersionReply = Compile(
  Type.Object({
    results: Type.Object({
      current_version: Type.String(),
      supported_versions: Type.Array(Type.String()),
    }),
  }),
)

/** Which versions are tried, and in which order. */
export type VersionOrder = (reply: JsonReply, ours: readonly ApiVersion[]) => readonly ApiVersion[]

/**
 * The versions to register under, to be tried in this order: the registrar's own current one where we have it, else the
 * newest that both have; all of ours, from the newest on, with a registrar that does not list its versions (`/version` came with 2.3).
 *
 * @throws {StartFault} there is no common version, or the answer cannot be read
 */
export function versionsToTry(
  reply: JsonReply,
  ours: readonly ApiVersion[],
): readonly ApiVersion[] {
  if (reply.status < 200 || reply.status > 299) return [...ours].reverse()
  if (!VersionReply.Check(reply.body))
    throw new NoRegistrar(
      'the registrar does not say its versions in a way that can be read',
      'check that registrar_ip and registrar_port are those of a registrar',
    )
  const { current_version, supported_versions } = reply.body.results
  const current = ours.find((version) => version === current_version)
  const chosen = current ?? ours.findLast((version) => supported_versions.includes(version))
  if (chosen !== undefined) return [chosen]
  throw new StartFault(
    `the registrar speaks ${supported_versions.join(', ')}, and this agent ${ours.join(', ')}`,
    'name a version that both have with --set registrar_api_versions=VERSION',
  )
}
