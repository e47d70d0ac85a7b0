import { constants, copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { paceOf } from '../attempt/pace.ts'
import { SetupFault } from '../input/fault.ts'
import { createAsk } from '../preflight/ask.ts'
import type { DialectProbe } from '../preflight/examination.ts'
import { listFileChecks } from '../target/check-files.ts'
import { probe } from '../target/deployment/probe.ts'
import { DEFAULT_TIMES } from '../target/limits.ts'
import { loadTarget } from '../target/load-target.ts'
import { isLoopback, isPlainBase } from '../target/role-url.ts'
import type { ServiceRole, Target } from '../target/target.ts'
import { type InitOptions, parseInitOptions } from './doctor-options.ts'
import { type Draft, draftTarget } from './draft.ts'
import { type Answers, type Ask, interview, terminalAsk } from './interview.ts'
import { type Configured, readInstallation } from './keylime/read-installation.ts'
import type { ConfigPlaces } from './keylime/read-settings.ts'
import type { AgentAnswers } from './probe-agents.ts'
import { presentTarget, type TargetDetails } from './write-target.ts'

export interface InitSurroundings {
  readonly out?: NodeJS.WritableStream
  /** Prompts the user; default: the terminal, if there is one. */
  readonly ask?: Ask
  /** Probes that suggest a dialect; default: none. */
  readonly dialectProbes?: readonly DialectProbe[]
  /** Enrols agents to find out dialect and capabilities; default: enrols none. */
  readonly probeAgents?: (target: Target) => Promise<AgentAnswers>
  /** Where configuration files of Keylime may be; default: none. */
  readonly configured?: ConfigPlaces
  /** Where Keylime keeps its state. */
  readonly stateDirectory?: string | undefined
}

type Urls = Readonly<Partial<Record<ServiceRole, string>>>

function readUrl(role: ServiceRole, text: string, testSystem: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !isPlainBase(url, 'https')) {
    const sentence = `--${role} is ${JSON.stringify(text)}, expected an https URL of scheme, host and port`
    throw new SetupFault(sentence, {
      code: 'D-TARGET-URL',
      next: 'write it as https://127.0.0.1:8881',
    })
  }
  if (!testSystem && !isLoopback(url.hostname)) {
    throw new SetupFault(`--${role} names ${url.hostname}, which is not this machine`, {
      code: 'D-LOOPBACK',
      next: 'add --test-system if that is a test system you may send hostile requests to',
    })
  }
  return url.origin
}

function urlsOf(answers: Answers, testSystem: boolean): Urls {
  const given = (['verifier', 'registrar'] as const).filter((role) => answers[role] !== '')
  return Object.fromEntries(given.map((role) => [role, readUrl(role, answers[role], testSystem)]))
}

function refuseOverwriting({ out, force }: InitOptions): void {
  if (force || !existsSync(out)) return
  throw new SetupFault(`${out} already exists`, {
    next: 'write to another --out, or add --force to overwrite it',
  })
}

function detailsOf({ http, time }: Configured): Pick<TargetDetails, 'http' | 'time'> {
  return { time, ...(http && { http }) }
}

/** What a configuration says in place of a probe. */
function changesBy({ files, mode }: Configured, { versions }: Draft): Partial<Draft> {
  if (files.length === 0) return {}
  const isOfMode = (version: string) => (version === '3.0') === (mode === 'push')
  const left = mode === undefined ? versions : versions.filter(isOfMode)
  // Agents are enrolled in this dialect first, and show another one if it is wrong.
  return { dialect: 'keylime', ...(left.length > 0 && { versions: left }) }
}

/** Throws unless each role answers over TLS: otherwise the written file would be wrong without notice. */
async function refuseSilence(urls: Urls, ca: string): Promise<void> {
  for (const [role, url] of Object.entries(urls)) {
    const answer = await probe(`${url}/version`, { ca, timeoutMs: DEFAULT_TIMES.requestWithinMs })
    if (answer.kind === 'untrusted') {
      const details = { code: answer.fault, next: answer.next }
      throw new SetupFault(`${role} at ${url} ${answer.why}`, details)
    }
    if (answer.kind === 'silent') {
      throw new SetupFault(`${role} does not answer at ${url}: ${answer.why}`, {
        code: 'D-TLS-UNREACHABLE',
        next: `correct --${role}, or start the ${role}`,
      })
    }
  }
}

/** The TLS section of the target, from the answers. */
function tlsOf({ ca, cert, key }: Answers): Target['tls'] {
  return { ca, admin: { certificate: cert, key } }
}

function refuseBadFiles(answers: Answers): void {
  const keys = { ca: '--ca', certificate: '--cert', key: '--key' }
  for (const { run } of listFileChecks({ tls: tlsOf(answers) }, new Date(), keys)) run()
}

async function probeDeployment(
  answers: Answers,
  urls: Urls,
  probes: readonly DialectProbe[],
): Promise<Draft> {
  refuseBadFiles(answers)
  await refuseSilence(urls, answers.ca)
  const pace = paceOf(0, () => performance.now())
  const ask = createAsk(tlsOf(answers), { withinMs: DEFAULT_TIMES.requestWithinMs, pace })
  return await draftTarget(ask, urls, probes)
}

/** Calls `use` with the target that a text describes, as Assay itself loads it, and with its temporary file. */
async function withDraft<T>(
  text: string,
  { out }: InitOptions,
  use: (target: Target, file: string) => T,
): Promise<Awaited<T>> {
  const draft = join(dirname(out), `.${basename(out)}.draft`)
  writeFileSync(draft, text)
  try {
    const surroundings = { run: '/run', ekCa: '/run/ek-ca.pem', env: process.env }
    return await use(await loadTarget(draft, surroundings), draft)
  } finally {
    rmSync(draft)
  }
}

/** Writes the file after Assay itself has loaded it without error. */
async function write(text: string, options: InitOptions): Promise<void> {
  const mode = options.force ? 0 : constants.COPYFILE_EXCL
  await withDraft(text, options, (_, draft) => copyFileSync(draft, options.out, mode))
}

/**
 * `assay init`: prompts for missing options, probes the deployment, writes a target file and prints the next command.
 * Overwrites nothing without `--force`. Returns 0; throws a {@link SetupFault} otherwise.
 */
export async function initMain(
  argv: readonly string[],
  surroundings: InitSurroundings = {},
): Promise<number> {
  const options = parseInitOptions(argv)
  if (options === undefined) return 0
  refuseOverwriting(options)
  const { out = process.stdout, dialectProbes = [] } = surroundings
  const terminal = surroundings.ask === undefined ? terminalAsk() : undefined
  try {
    const configured = readInstallation(options, surroundings)
    if (configured.files.length > 0) out.write(`read ${configured.files.join(', ')}\n`)
    const known = { ...configured.options, ...options }
    const answers = await interview(known, surroundings.ask ?? terminal?.ask)
    const urls = urlsOf(answers, options.testSystem ?? false)
    const probed = await probeDeployment(answers, urls, dialectProbes)
    const found = { ...probed, ...changesBy(configured, probed) }
    const loopback = Object.values(urls).every((url) => isLoopback(new URL(url).hostname))
    const textOf = (draft: Draft) =>
      presentTarget({ ...answers, ...urls }, draft, {
        out: options.out,
        loopback,
        ...detailsOf(configured),
      })
    const enrols = surroundings.probeAgents !== undefined && Object.keys(urls).length === 2
    const shown = enrols && (await withDraft(textOf(found), options, surroundings.probeAgents))
    const draft = { ...found, ...shown }
    await write(textOf(draft), options)
    out.write(
      `wrote ${options.out}: versions ${draft.versions.join(', ')}, dialect ${draft.dialect}\n`,
    )
    out.write(`next: assay doctor --target ${options.out}\n`)
    return 0
  } finally {
    terminal?.close()
  }
}
