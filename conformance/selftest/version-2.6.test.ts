import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Finding, type Place, probeRoute } from '../../scenarios/matrix/support/probe-route.ts'
import { knownPlaces } from '../../scenarios/matrix/support/route-cells.ts'
import { seededRandom } from '../attempt/random.ts'
import { ROUTES } from '../catalogue/routes/load-routes.ts'
import type { RouteRow } from '../catalogue/routes/route-row.ts'
import { HttpsClient } from '../client/https-client.ts'
import { SecureContexts } from '../client/tls/secure-contexts.ts'
import { Transcript } from '../client/transcript.ts'
import { DIALECTS } from '../dialects/dialect.ts'
import { packageRoot } from '../input/package-root.ts'
import { startOnFreePorts } from '../target/deployment/start-on-free-ports.ts'
import { loadTarget } from '../target/load-target.ts'
import { createRunDirectory } from '../target/processes/run-directory.ts'
import { temporaryDirectory } from '../target/testing/test-support.ts'

const SHIPPED = join(packageRoot(), 'reference', 'assay.target.yaml')
/** No agent is registered here, so any manufacturer certificate will do. */
const MAKER = join(packageRoot(), 'fixtures', 'makers', 'e5-registration.pem')
const WITH_26 = '1.0,2.0,2.1,2.2,2.3,2.4,2.5,2.6,3.0'

/** Every route that a version of the document may have below a prefix. */
const ROWS = ROUTES.filter(({ unversioned }) => unversioned === undefined)

/** The routes that exist under each prefix, for the reference with these settings. */
async function findingsOf(settings: readonly string[], prefixes: readonly string[]) {
  const target = await start(settings)
  return Promise.all(
    prefixes.map(async (prefix) => {
      const found: [string, Finding][] = []
      for (const row of ROWS) found.push([nameOf(row), await target.probe(row, prefix)])
      return found
    }),
  )
}

function nameOf({ component, method, path }: RouteRow): string {
  return `${component} ${method} ${path}`
}

async function start(settings: readonly string[]) {
  const directory = temporaryDirectory()
  const run = createRunDirectory(directory)
  onTestFinished(() => run.close())
  const file = join(directory, 'assay.target.yaml')
  writeFileSync(file, targetWith(settings))
  const surroundings = { run: run.path, ekCa: MAKER, env: process.env }
  const loaded = await loadTarget(file, surroundings)
  const { target, deployment } = await startOnFreePorts(loaded, surroundings, run)
  onTestFinished(() => deployment.stop())
  const { ca, admin } = target.tls
  const read = (path: string) => readFileSync(path, 'utf8')
  const certificate = { cert: read(admin.certificate), key: read(admin.key), subject: 'client' }
  const transcript = new Transcript(() => performance.now())
  const signal = new AbortController().signal
  const pace = () => Promise.resolve()
  const client = new HttpsClient({
    contexts: new SecureContexts(read(ca)),
    transcript,
    signal: () => signal,
    pace,
    requestMs: 10_000,
  })
  onTestFinished(() => client.close())
  const credentials = { name: 'administrator', certificate }
  return {
    probe: ({ component, method, path }: RouteRow, prefix: string): Promise<Finding> => {
      const url = deployment.roles[component]?.url ?? ''
      const get = (at: string, { as: _, ...rest }: object & { as?: unknown } = {}) =>
        client.exchange({ method: 'GET', ...rest, credentials, url: `${url}${at}` })
      const parts = {
        client: { get },
        credentials,
        random: seededRandom('2.6', `${prefix}${path}`),
      }
      const place: Place = { method, path: `${prefix}${path}` }
      return probeRoute(parts, place, knownPlaces(component, '2.5', DIALECTS.document))
    },
  }
}

/** The shipped target file with settings of both components, written elsewhere. */
function targetWith(settings: readonly string[]): string {
  const added = settings.map((setting) => `        - --set\n        - ${setting}\n`).join('')
  return readFileSync(SHIPPED, 'utf8')
    .replaceAll('../', `${packageRoot()}/`)
    .replaceAll(/^ {6}ready:/gm, `${added}      ready:`)
}

test('with a setting that names 2.6, the reference serves it like 2.5', async () => {
  const [of26, of25] = await findingsOf([`api_versions=${WITH_26}`], ['/v2.6', '/v2.5'])
  expect(of26).toEqual(of25)
  expect(of26).toHaveLength(ROWS.length)
  expect(of26).toContainEqual(['verifier POST /verify/evidence', 'served'])
})

test('without that setting no component serves 2.6', async () => {
  const [of26] = await findingsOf([], ['/v2.6'])
  expect(of26?.filter(([, finding]) => finding !== 'absent')).toEqual([])
})
