import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseDuration } from '../input/duration.ts'
import { codeOf, SetupFault } from '../input/fault.ts'
import { parseYaml } from '../input/yaml-source.ts'
import { checkTarget } from './check-target.ts'
import { harnessFiles } from './harness-files.ts'
import { readTimes } from './limits.ts'
import { expandPlaceholders, type LateWords, portNames } from './placeholders.ts'
import { freePorts } from './processes/free-port.ts'
import {
  dialectOf,
  ekTrustOf,
  hooksOf,
  lifetimesOf,
  type Places,
  rolesOf,
  subjectsOf,
} from './read-document.ts'
import { lateWordsOf } from './subject-placeholders.ts'
import type { CredentialFiles, Target, VariantName } from './target.ts'
import type { TargetDocument } from './target-document.ts'

/** Values that a target file does not contain. */
export interface TargetSurroundings {
  /** Absolute path of the private run directory, for `${run}`. */
  readonly run: string
  /** Path of a PEM file with the TPM manufacturer's CA certificate, for `${ek_ca}`. */
  readonly ekCa: string
  /** For `${env.NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** For `${port.NAME}`: `count` different free ports; {@link freePorts} when absent. */
  readonly pickPorts?: (count: number) => Promise<readonly number[]>
  /** The variants that the run needs; absent: none. */
  readonly variants?: readonly VariantName[]
}

const WHY_UNREADABLE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EACCES', 'its permissions forbid reading'],
  ['EISDIR', 'it is a directory'],
])

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const why = WHY_UNREADABLE.get(codeOf(cause)) ?? codeOf(cause)
    throw new SetupFault(`the target file ${file} cannot be read: ${why}`, {
      code: 'D-TARGET-UNREADABLE',
      next: 'assay init writes one',
      cause,
    })
  }
}

async function assignPorts(
  data: unknown,
  pickPorts: (count: number) => Promise<readonly number[]>,
): Promise<ReadonlyMap<string, number>> {
  const names = portNames(data)
  const ports = await pickPorts(names.length)
  return new Map(names.map((name, index) => [name, ports[index] ?? 0]))
}

/**
 * Placeholders that are replaced later: those of a hook when it runs (its role and, for the clock, the seconds),
 * those of an agent's or tenant's command when it starts (its machine and its servers).
 */
const LATE_WORDS: LateWords = ([section, ...rest]) => {
  if (section === 'roles') return lateWordsOf(String(rest[0]))
  if (section !== 'hooks') return []
  return rest.includes('advance_clock') ? ['role', 'seconds'] : ['role']
}

function credentialOf(directory: string, { certificate, key }: CredentialFiles): CredentialFiles {
  return { certificate: resolve(directory, certificate), key: resolve(directory, key) }
}

/** The TLS section of a target; without a role that listens, the harness's own files. */
function tlsOf({ tls }: TargetDocument, directory: string, run: string): Target['tls'] {
  if (tls === undefined) return harnessFiles(run)
  return {
    ca: resolve(directory, tls.ca),
    admin: credentialOf(directory, tls.admin),
    ...(tls.issuer === undefined ? {} : { issuer: credentialOf(directory, tls.issuer) }),
  }
}

function targetOf(
  document: TargetDocument,
  { file, directory, source }: Places,
  { run, variants = [] }: TargetSurroundings,
): Target {
  const places = { file, directory, source }
  const { safety, profile, waivers } = document
  const millisecondsOf = (text: string | undefined) =>
    text === undefined ? undefined : parseDuration(text)
  return {
    file,
    directory,
    run,
    name: document.name,
    versions: document.versions,
    capabilities: document.capabilities ?? [],
    roles: rolesOf(document, places, variants),
    subjects: subjectsOf(document, places),
    tls: tlsOf(document, directory, run),
    ekTrust: ekTrustOf(document, places),
    lifetimes: lifetimesOf(document.time),
    time: readTimes((key) => millisecondsOf(document.time[key])),
    hooks: hooksOf(document, places),
    dialect: dialectOf(document, places),
    ...(profile === undefined ? {} : { profile }),
    ...(waivers === undefined ? {} : { waivers: resolve(directory, waivers) }),
    safety: {
      loopbackOnly: safety.loopback_only,
      requestsPerSecond: safety.requests_per_second,
      dryRun: safety.dry_run,
    },
  }
}

/**
 * Reads a target file: YAML, placeholders, closed schema, then rules that a schema cannot express. Throws a {@link
 * SetupFault} whose sentence begins with `file:line:column` and names the key.
 */
export async function loadTarget(file: string, surroundings: TargetSurroundings): Promise<Target> {
  const { run, ekCa, env, pickPorts = freePorts } = surroundings
  const directory = dirname(resolve(file))
  const source = parseYaml(await readText(file), file)
  const ports = await assignPorts(source.data, pickPorts)
  const known = { run, target: directory, ekCa, env, ports }
  const document = checkTarget(expandPlaceholders(source, known, LATE_WORDS), source)
  return targetOf(document, { file, directory, source }, surroundings)
}
