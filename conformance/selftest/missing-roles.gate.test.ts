import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { packageRoot } from '../input/package-root.ts'
import { temporaryDirectory } from '../target/testing/test-support.ts'
import { freshOut, readResult, runAssay } from './command.ts'
import { type Listener, scriptedTarget } from './scripted-target.ts'

/** A target file with the verifier of the reference and no other role. */
function verifierAlone(): string {
  const file = join(packageRoot(), 'reference', 'assay.target.yaml')
  const { roles, ...rest } = parse(readFileSync(file, 'utf8')) as { roles: { verifier: object } }
  const [verifier] = Object.values(roles)
  const target = join(temporaryDirectory(), 'verifier-alone.target.yaml')
  const text = stringify({ ...rest, capabilities: [], roles: { verifier } })
  writeFileSync(target, text.replaceAll('../', `${packageRoot()}/`))
  return target
}

/** A registrar that knows no route. */
function registrarAlone(): Promise<string> {
  const refuse: Listener = (_body, _request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"code":404}')
  }
  return scriptedTarget(temporaryDirectory(), ['registrar'], refuse, {
    versions: ['2.0', '2.5', '3.0'],
  })
}

/** Areas of which many scenarios need several roles. */
const AREAS = [
  'authorization',
  'certificates',
  'pull-agent',
  'push-agent',
  'push',
  'registrar',
  'session',
  'tenant',
  'tenant-web',
]
const ONLY = [...AREAS, 'verifier.polling'].flatMap((area) => ['--only', `${area}.*`])

const ABSENT = ['verifier', 'registrar', 'pull_agent', 'push_agent', 'tenant', 'tenant_web']

test.each([
  ['verifier', verifierAlone, ONLY],
  ['registrar', registrarAlone, []],
])(
  'with a %s alone, what needs another role is not applicable, and nothing is a harness fault',
  async (role, target, only) => {
    const out = freshOut()
    onTestFinished(() => rmSync(out, { recursive: true, force: true }))
    await runAssay(['run', '--target', await target(), '--out', out, ...only])
    const { scenarios } = readResult(out)
    expect(scenarios.filter(({ outcome }) => outcome === 'harness-fault')).toEqual([])
    const reasons = scenarios
      .filter(({ outcome }) => outcome === 'not-applicable')
      .flatMap(({ reason = '' }) => /the target file names no (\w+)$/.exec(reason)?.[1] ?? [])
    expect(new Set(reasons)).toEqual(new Set(ABSENT.filter((name) => name !== role)))
  },
)
