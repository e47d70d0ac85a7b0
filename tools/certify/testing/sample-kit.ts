import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { RunResult } from '../../../conformance/report/result.ts'
import type { KitRun } from '../judge/refusal.ts'
import { COVERED, NAMES, pathInRun, sumsOf } from '../kit/kit-files.ts'
import { keyFile, makeKit, signPayload, textFile } from '../kit/make-kit.ts'
import type { KitFile } from '../kit/statement.ts'
import type { Subject } from '../kit/subjects.ts'
import type { KitFiles } from '../kit/verify-kit.ts'
import type { Signer } from '../sign/signer.ts'
import { CATALOGUE, sampleRun } from './sample-runs.ts'

/** A signer with this key. */
export function signerWith(
  privateKey: KeyObject,
  publicKey: KeyObject,
  hash: string | null,
): Signer {
  return {
    publicKey,
    how: 'a key of the test',
    sign: async (message) => sign(hash, message, privateKey),
  }
}

const pair = generateKeyPairSync('ed25519')
export const SIGNER = signerWith(pair.privateKey, pair.publicKey, null)

export const SUBJECTS: readonly Subject[] = [
  { name: 'registrar_1.0.deb', digest: { sha256: '0c'.repeat(32) } },
]

const TARGET = `name: Example | registrar
versions: ['2.5', '3.0']
capabilities: [ek_store, ima_log]
`

export interface SampleKit {
  readonly runs?: readonly RunResult[]
  readonly subjects?: readonly Subject[]
  readonly signer?: Signer
  readonly target?: string
}

/** A kit of the sample, signed. */
export async function sampleKit(given: SampleKit = {}): Promise<KitFiles> {
  const { runs = [1, 2, 3].map((number) => sampleRun(number)), signer = SIGNER } = given
  const named = runs.map((result, at): KitRun => {
    return { name: pathInRun(at + 1, 'result.json'), result }
  })
  const texts = new Map([
    ...named.map(({ name, result }) => [name, JSON.stringify(result)] as const),
    [NAMES.target, given.target ?? TARGET] as const,
  ])
  const files = COVERED.filter((path) => path !== NAMES.key)
    .filter((path) => !path.endsWith('result.json') || texts.has(path))
    .map((path) => textFile(path, texts.get(path) ?? `made for ${path}\n`))
  const { subjects = SUBJECTS } = given
  const parts = { catalogue: CATALOGUE, subjects, runs: named, files: [...files, keyFile(signer)] }
  return mapOf(await makeKit(parts, signer))
}

export function mapOf(files: readonly KitFile[]): KitFiles {
  return new Map(files.map(({ path, bytes }) => [path, bytes]))
}

export function textOf(files: KitFiles, path: string): string {
  return Buffer.from(files.get(path) ?? []).toString()
}

/** The kit with another text of a file. */
export function withText(
  files: KitFiles,
  path: string,
  change: (text: string) => string,
): KitFiles {
  return new Map([...files, [path, Buffer.from(change(textOf(files, path)))]])
}

/** The kit with SHA256SUMS that fit. */
export function withSums(files: KitFiles): KitFiles {
  const others = [...files].filter(([path]) => path !== NAMES.sums)
  const sums = sumsOf(others.map(([path, bytes]) => ({ path, bytes })))
  return new Map([...others, [NAMES.sums, Buffer.from(sums)]])
}

/** The kit with another statement, which the same key signs. */
export async function withStatement(
  files: KitFiles,
  change: (text: string) => string,
): Promise<KitFiles> {
  const { payload } = JSON.parse(textOf(files, NAMES.statement))
  const text = change(Buffer.from(payload, 'base64').toString())
  const envelope = await signPayload(Buffer.from(text), SIGNER)
  return withSums(withText(files, NAMES.statement, () => JSON.stringify(envelope)))
}
