import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { checkTarget, type RoleDocument, type TargetDocument } from './check-target.ts'
import { parseDuration } from './duration.ts'
import { codeOf, SetupFault } from './fault.ts'
import { freePorts } from './free-port.ts'
import { expandPlaceholders, portNames } from './placeholders.ts'
import type { ServiceRole, StartCommand, Target, TargetRole } from './target.ts'
import { parseYaml, type YamlSource } from './yaml-source.ts'

/** What a target file cannot say itself. */
export interface TargetSurroundings {
  /** Absolute path of the private run directory, for `${run}`. */
  readonly run: string
  /** Path of a PEM file with the TPM manufacturer's CA certificate, for `${ek_ca}`. */
  readonly ekCa: string
  /** For `${env.NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** For `${port.NAME}`: `count` different free ports; {@link freePorts} when absent. */
  readonly pickPorts?: (count: number) => Promise<readonly number[]>
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
    throw new SetupFault(`the target file ${file} cannot be read: ${why}`, { cause })
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function isPlainBase(url: URL): boolean {
  const rest = url.pathname + url.search + url.hash + url.username + url.password
  return url.protocol === 'https:' && rest === '/'
}

/** Scheme, host and port of a role's URL, refused when it says more, or names another machine without leave. */
function checkUrl(text: string, loopbackOnly: boolean, say: (sentence: string) => string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !isPlainBase(url)) {
    throw new SetupFault(
      say(
        `is ${JSON.stringify(text)}, expected an https URL of scheme, host and port, such as https://127.0.0.1:8881`,
      ),
    )
  }
  if (loopbackOnly && !isLoopback(url.hostname)) {
    throw new SetupFault(say(`names ${url.hostname}, which is not this machine`), {
      next: 'set safety.loopback_only to false if that is a test system you may send hostile requests to',
    })
  }
  return url.origin
}

function startOf(start: NonNullable<RoleDocument['start']>, directory: string): StartCommand {
  return {
    command: start.command,
    cwd: resolve(directory, start.cwd),
    env: { ...start.env },
    ready: { path: start.ready.path, withinMs: parseDuration(start.ready.within) },
  }
}

function rolesOf(
  document: TargetDocument,
  directory: string,
  source: YamlSource,
): readonly TargetRole[] {
  return Object.entries(document.roles).map(([name, entry]: [string, RoleDocument]) => {
    const role = name as ServiceRole
    const say = (sentence: string) =>
      `${source.placeOf(['roles', role, 'url'])}: roles.${role}.url ${sentence}`
    const url = checkUrl(entry.url, document.safety.loopback_only, say)
    return entry.start === undefined
      ? { role, url }
      : { role, url, start: startOf(entry.start, directory) }
  })
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
 * Reads a target file: YAML, placeholders, closed schema, then the rules a schema cannot say.
 * Throws a {@link SetupFault} whose sentence begins with `file:line:column` and names the key.
 */
export async function loadTarget(file: string, surroundings: TargetSurroundings): Promise<Target> {
  const { run, ekCa, env, pickPorts = freePorts } = surroundings
  const directory = dirname(resolve(file))
  const source = parseYaml(await readText(file), file)
  const ports = await assignPorts(source.data, pickPorts)
  const expanded = expandPlaceholders(source, { run, target: directory, ekCa, env, ports })
  const document = checkTarget(expanded, source)
  const { tls, time, safety } = document
  return {
    file,
    directory,
    run,
    name: document.name,
    versions: document.versions,
    capabilities: document.capabilities ?? [],
    roles: rolesOf(document, directory, source),
    tls: {
      ca: resolve(directory, tls.ca),
      admin: {
        certificate: resolve(directory, tls.admin.certificate),
        key: resolve(directory, tls.admin.key),
      },
    },
    time: {
      quoteIntervalMs: parseDuration(time.quote_interval),
      verdictWithinMs: parseDuration(time.verdict_within),
    },
    safety: {
      loopbackOnly: safety.loopback_only,
      requestsPerSecond: safety.requests_per_second,
    },
  }
}
