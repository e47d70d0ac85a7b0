import { NotApplicable, PrerequisiteFailed } from '../../conformance/attempt/endings.ts'
import {
  applies,
  compareVersions,
  REGISTRAR_OPERATIONS,
} from '../../conformance/catalogue/routes/operations.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import { checkSwtpm } from '../../conformance/runner/check-tools.ts'
import { baselineOf } from './baseline.ts'
import { BOOT_KINDS, type FuzzKind, isOfRegistrar, type RegistrationKind } from './kinds.ts'
import { EVIDENCE_MUTATIONS } from './mutations/catalogue.ts'
import { bootPolicyRoute } from './routes/boot-policy-route.ts'
import { evidenceRoute, verifierChannel } from './routes/evidence-route.ts'
import { identityRoute } from './routes/identity-route.ts'
import { BOOTED, patchRoute } from './routes/patch-route.ts'
import { pollingRoute } from './routes/polling-route.ts'
import { registrationRoute } from './routes/registration-route.ts'
import { type NotTaken, type Route, tried } from './routes/route.ts'
import { sequenceRoute } from './routes/sequence-route.ts'
import type { FuzzSession } from './session.ts'

type Opening = readonly [name: string, open: () => Promise<Route | NotTaken>]

/** First version of verify/identity (interface document, "Versioning"). */
const IDENTITY_SINCE = '2.2'

function without(name: string, why: string): Opening {
  return [name, async () => ({ name, why })]
}

function newestPull({ environment }: FuzzSession): string | undefined {
  return environment.versions
    .filter((one) => one.startsWith('2.'))
    .toSorted(compareVersions)
    .at(-1)
}

function identityOpening(session: FuzzSession, kind: keyof typeof EVIDENCE_MUTATIONS): Opening {
  const name = 'GET verify/identity'
  const version = newestPull(session)
  const { pull } = session.verifiers
  if (kind === 'imalog' || kind === 'policy' || BOOT_KINDS.has(kind))
    return without(name, `it takes no ${kind}`)
  if (pull === undefined || version === undefined || compareVersions(version, IDENTITY_SINCE) < 0)
    return without(name, 'none of the versions to be judged has it')
  const mutations = EVIDENCE_MUTATIONS[kind]
  return [name, () => identityRoute(session, pull, version, mutations)]
}

function patchOpening(session: FuzzSession, kind: keyof typeof EVIDENCE_MUTATIONS): Opening {
  const name = 'PATCH attestations'
  const { push } = session.verifiers
  if (kind === 'policy' || kind === 'bootpolicy')
    return without(name, 'policies do not travel on it')
  if (push === undefined || session.environment.urls.registrar === undefined)
    return without(name, 'it needs verifier, registrar and version 3.0 in the target file')
  return [
    name,
    () => {
      checkSwtpm(process.env.PATH)
      return patchRoute(session, push, EVIDENCE_MUTATIONS[kind], BOOT_KINDS.has(kind) ? BOOTED : {})
    },
  ]
}

/** First version whose records say what became of a poll (interface document, "Versioning"). */
const STATUS_SINCE = '2.5'

function pollOpening(session: FuzzSession): Opening {
  const name = 'GET quotes/integrity'
  const version = newestPull(session)
  const { pull } = session.verifiers
  if (!session.environment.capabilities.includes('pull_mode'))
    return without(name, 'the target file does not claim the capability pull_mode')
  if (pull === undefined || version === undefined || compareVersions(version, STATUS_SINCE) < 0)
    return without(name, 'the records of none of the versions to be judged have attestation_status')
  return [name, () => pollingRoute(session, pull, EVIDENCE_MUTATIONS.eventlog)]
}

/** First version whose boot policies are stored by name (interface document, "Versioning"). */
const STORED_SINCE = '2.3'

function storeOpening(session: FuzzSession): Opening {
  const name = 'POST mbpolicies'
  const version = newestPull(session)
  const { pull } = session.verifiers
  if (pull === undefined || version === undefined || compareVersions(version, STORED_SINCE) < 0)
    return without(name, 'none of the versions to be judged has it')
  const { bootpolicy } = EVIDENCE_MUTATIONS
  return [name, async () => bootPolicyRoute(session, pull, baselineOf('bootpolicy'), bootpolicy)]
}

function evidenceOpenings(
  session: FuzzSession,
  kind: keyof typeof EVIDENCE_MUTATIONS,
): readonly Opening[] {
  const { pull } = session.verifiers
  const name = 'POST verify/evidence'
  const route = kind === 'sequence' ? sequenceRoute : evidenceRoute
  const evidence: Opening =
    pull === undefined
      ? without(name, 'none of the versions to be judged has it')
      : [name, async () => route(verifierChannel(pull), baselineOf(kind), EVIDENCE_MUTATIONS[kind])]
  if (kind === 'sequence') return [evidence]
  const openings = [evidence, identityOpening(session, kind), patchOpening(session, kind)]
  if (kind === 'eventlog') return [...openings, pollOpening(session)]
  return kind === 'bootpolicy' ? [...openings, storeOpening(session)] : openings
}

/** A key reads alike in all versions of one major; a certificate is shown in each of them. */
function versionsFor(session: FuzzSession, kind: RegistrationKind): readonly string[] {
  const { versions } = session.environment
  if (kind === 'ekcert') return versions.toSorted(compareVersions)
  const newest = [newestPull(session), versions.find((one) => one === '3.0')]
  return newest.filter((version) => version !== undefined)
}

function registrationOpenings(session: FuzzSession, kind: RegistrationKind): readonly Opening[] {
  if (session.environment.urls.registrar === undefined)
    return [without('register', 'the target file names no registrar')]
  return versionsFor(session, kind)
    .filter((version) =>
      REGISTRAR_OPERATIONS.some((row) => row.operation === 'register' && applies(row, version)),
    )
    .map((version) => [`register ${version}`, () => registrationRoute(session, version, kind)])
}

/** A way that could not even be prepared is not taken; what is no matter of the deployment is a fault. */
async function opened([name, open]: Opening): Promise<Route | NotTaken> {
  try {
    const route = await open()
    return 'send' in route ? await tried(route) : route
  } catch (error) {
    if (error instanceof NotApplicable || error instanceof PrerequisiteFailed)
      return { name, why: error.message }
    if (error instanceof SetupFault) return { name, why: error.sentence }
    throw error
  }
}

function openingsOf(session: FuzzSession, kind: FuzzKind): readonly Opening[] {
  if (isOfRegistrar(kind)) return registrationOpenings(session, kind)
  if (BOOT_KINDS.has(kind) && !session.environment.capabilities.includes('measured_boot'))
    return [without(kind, 'the target file does not claim the capability measured_boot')]
  return evidenceOpenings(session, kind)
}

/** Every way on which evidence of a kind reaches the deployment, each tried with honest evidence first. */
export async function openRoutes(
  session: FuzzSession,
  kind: FuzzKind,
): Promise<readonly (Route | NotTaken)[]> {
  const openings = openingsOf(session, kind)
  const routes: (Route | NotTaken)[] = []
  for (const opening of openings) routes.push(await opened(opening))
  return routes
}
