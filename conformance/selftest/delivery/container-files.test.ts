import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../../input/package-root.ts'
import { loadTarget } from '../../target/load-target.ts'
import { runAssay } from '../command.ts'

const ROOT = packageRoot()

interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly volumes?: readonly string[]
  readonly network_mode?: string
  readonly depends_on: Readonly<Record<string, unknown>>
  readonly configs?: readonly { readonly source: string }[]
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, null>>
  readonly configs: Readonly<Record<string, unknown>>
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const compose: Compose = parse(read('compose.yaml'), { merge: true })
const services = Object.values(compose.services)
const ours = services.filter(({ image }) => image === 'assay')

/** The instructions of the Dockerfile, each on one line. */
const instructions = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')

test('the last stage of the Dockerfile runs as a user without rights', () => {
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))
  expect(last.filter((line) => line.startsWith('USER '))).toEqual(['USER assay'])
  expect(last.findIndex((line) => line.startsWith('USER '))).toBeLessThan(
    last.findIndex((line) => line.startsWith('ENTRYPOINT ')),
  )
})

test('what the Dockerfile copies exists, and packages come from the lock file', () => {
  const copied = instructions
    .filter((line) => /^COPY (?!--from)/.test(line))
    .flatMap((line) => line.split(' ').slice(1, -1))
  expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  expect(instructions).toContain('RUN npm ci --omit=dev --ignore-scripts')
})

test('compose.yaml uses only services, volumes and configurations that it has', () => {
  const volumes = services.flatMap(({ volumes: used = [] }) => used.map((one) => one.split(':')[0]))
  expect(new Set(volumes)).toEqual(new Set(Object.keys(compose.volumes)))
  const needed = services.flatMap(({ depends_on: needs = {} }) => Object.keys(needs))
  expect(needed.filter((name) => !(name in compose.services))).toEqual([])
  const configs = services.flatMap(({ configs: used = [] }) => used.map(({ source }) => source))
  expect(configs).toEqual(Object.keys(compose.configs))
})

test('every service of compose.yaml is on loopback, in the network of the database', () => {
  expect(ours.map(({ network_mode }) => network_mode)).toEqual(ours.map(() => 'service:database'))
})

const started = ours.filter(({ command = [] }) => command.length > 0)

test('compose.yaml starts verifier, registrar, agent and the harness', () => {
  const verbs = started.map(({ command: [verb] = [] }) => verb)
  expect(verbs).toEqual(['verifier', 'registrar', 'agent', 'run'])
})

test.each(started.map(({ command: [verb = '', ...words] = [] }) => [verb, words] as const))(
  'the words that compose.yaml gives to assay %s are known to it',
  async (verb, words) => {
    const { code, stdout } = await runAssay([verb, '--help'])
    const known = words.map((word) => /^(\w+)=/.exec(word)?.[1] ?? /^--[\w-]+$/.exec(word)?.[0])
    const names = known.filter((name) => name !== undefined)
    expect([
      code,
      names.filter((name) => !new RegExp(`^\\s+${name}\\b`, 'm').test(stdout)),
    ]).toEqual([0, []])
  },
)

test('the target file that the harness of compose.yaml is given is valid, and ships', async () => {
  const { command = [] } = compose.services['harness'] ?? {}
  const file = command[command.indexOf('--target') + 1] ?? ''
  expect(file).toBe(`/opt/assay/reference/${basename(file)}`)
  expect(JSON.parse(read('package.json')).files).toContain('reference/*.yaml')
  const { roles } = await loadTarget(join(ROOT, 'reference', basename(file)), {
    run: '/run',
    ekCa: '/run/ek-ca.pem',
    env: {},
  })
  expect(roles.map(({ role }) => role)).toEqual(expect.arrayContaining(['registrar', 'verifier']))
})
