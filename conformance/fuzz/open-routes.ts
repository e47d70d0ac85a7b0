import { applies, compareVersions, REGISTRAR_OPERATIONS } from '../client/operations.ts'
import { checkSwtpm } from '../runner/check-tools.ts'
import { NotApplicable, PrerequisiteFailed } from '../runner/endings.ts'
import { SetupFault } from '../target/fault.ts'
import type { FuzzKind } from './kinds.ts'
import { EVIDENCE_MUTATIONS } from './mutations/catalogue.ts'
import type { Room } from './room.ts'
import { evidenceRoute } from './routes/evidence-route.ts'
import { identityRoute } from './routes/identity-route.ts'
import { patchRoute } from './routes/patch-route.ts'
import { registrationRoute } from './routes/registration-route.ts'
import { type NotTaken, type Route, tried } from './routes/route.ts'

type Opening = readonly [name: string, open: () => Promise<Route | NotTaken>]

/** First version of verify/identity (interface document, "Versioning"). */
const IDENTITY_SINCE = '2.2'

function without(name: string, why: string): Opening {
  return [name, async () => ({ name, why })]
}

function newestPull({ bench }: Room): string | undefined {
  return bench.versions
    .filter((one) => one.startsWith('2.'))
    .toSorted(compareVersions)
    .at(-1)
}

function identityOpening(room: Room, kind: keyof typeof EVIDENCE_MUTATIONS): Opening {
  const name = 'GET verify/identity'
  const version = newestPull(room)
  const { pull } = room.verifiers
  if (kind === 'imalog' || kind === 'policy') return without(name, `it takes no ${kind}`)
  if (pull === undefined || version === undefined || compareVersions(version, IDENTITY_SINCE) < 0)
    return without(name, 'none of the versions to be judged has it')
  const mutations = EVIDENCE_MUTATIONS[kind]
  return [name, () => identityRoute(room, pull, version, mutations)]
}

function patchOpening(room: Room, kind: keyof typeof EVIDENCE_MUTATIONS): Opening {
  const name = 'PATCH attestations'
  const { push } = room.verifiers
  if (kind === 'policy') return without(name, 'policies do not travel on it')
  if (push === undefined || room.bench.urls.registrar === undefined)
    return without(name, 'it needs verifier, registrar and version 3.0 in the target file')
  return [
    name,
    () => {
      checkSwtpm(process.env.PATH)
      return patchRoute(room, push, EVIDENCE_MUTATIONS[kind])
    },
  ]
}

function evidenceOpenings(room: Room, kind: keyof typeof EVIDENCE_MUTATIONS): readonly Opening[] {
  const { pull } = room.verifiers
  const name = 'POST verify/evidence'
  const evidence: Opening =
    pull === undefined
      ? without(name, 'none of the versions to be judged has it')
      : [name, async () => evidenceRoute(pull, EVIDENCE_MUTATIONS[kind])]
  return [evidence, identityOpening(room, kind), patchOpening(room, kind)]
}

function registrationOpenings(room: Room): readonly Opening[] {
  if (room.bench.urls.registrar === undefined)
    return [without('register', 'the target file names no registrar')]
  const versions = [newestPull(room), room.bench.versions.find((one) => one === '3.0')]
  return versions
    .filter((version) => version !== undefined)
    .filter((version) =>
      REGISTRAR_OPERATIONS.some((row) => row.operation === 'register' && applies(row, version)),
    )
    .map((version) => [`register ${version}`, () => registrationRoute(room, version)])
}

/** A way that could not even be prepared is not taken; what is no matter of the deployment is a fault. */
async function opened([name, open]: Opening): Promise<Route | NotTaken> {
  try {
    const route = await open()
    return 'fire' in route ? await tried(route) : route
  } catch (error) {
    if (error instanceof NotApplicable || error instanceof PrerequisiteFailed)
      return { name, why: error.message }
    if (error instanceof SetupFault) return { name, why: error.sentence }
    throw error
  }
}

/** Every way on which evidence of a kind reaches the deployment, each tried with honest evidence first. */
export async function openRoutes(
  room: Room,
  kind: FuzzKind,
): Promise<readonly (Route | NotTaken)[]> {
  const openings =
    kind === 'registration' ? registrationOpenings(room) : evidenceOpenings(room, kind)
  const routes: (Route | NotTaken)[] = []
  for (const opening of openings) routes.push(await opened(opening))
  return routes
}
