import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { paceOf } from '../runner/pace.ts'
import { codeOf, SetupFault } from '../target/fault.ts'
import { DEFAULT_TIMES } from '../target/limits.ts'
import { loadTarget } from '../target/load-target.ts'
import { probe } from '../target/probe.ts'
import { isLoopback, isPlainBase } from '../target/role-url.ts'
import type { ServiceRole } from '../target/target.ts'
import { createAsk } from './ask.ts'
import { type InitOptions, parseInitOptions } from './doctor-options.ts'
import type { DialectProbe } from './examination.ts'
import { type Answers, type Ask, interview, terminalAsk } from './interview.ts'
import { type Sketch, sketchDeployment } from './sketch.ts'
import { presentTarget } from './write-target.ts'

export interface InitSurroundings {
  readonly out?: NodeJS.WritableStream
  /** Asks a person; the terminal when absent, and nobody when that is none. */
  readonly ask?: Ask
  /** Guess the dialect; none when absent. */
  readonly dialectProbes?: readonly DialectProbe[]
}

type Urls = Readonly<Partial<Record<ServiceRole, string>>>

function readUrl(role: ServiceRole, text: string, testSystem: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !isPlainBase(url)) {
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
  throw new SetupFault(`${out} is there already`, {
    next: 'write to another --out, or add --force to overwrite it',
  })
}

/** Each role must answer over TLS: a file written for something else would only be wrong in a quieter way. */
async function refuseSilence(urls: Urls, ca: string): Promise<void> {
  for (const [role, url] of Object.entries(urls)) {
    const answer = await probe(`${url}/version`, { ca, timeoutMs: DEFAULT_TIMES.requestWithinMs })
    if (answer.kind === 'untrusted') {
      const details = { code: answer.fault, next: answer.next }
      throw new SetupFault(`${role} at ${url} ${answer.why}`, details)
    }
    if (answer.kind === 'silent') {
      throw new SetupFault(`${role} does not answer at ${url}: ${answer.why}`, {
        code: answer.code === 'CA' ? 'D-CERT-UNREADABLE' : 'D-TLS-UNREACHABLE',
        next: `correct --${answer.code === 'CA' ? 'ca' : role}, or start the ${role}`,
      })
    }
  }
}

async function look(
  answers: Answers,
  urls: Urls,
  probes: readonly DialectProbe[],
): Promise<Sketch> {
  await refuseSilence(urls, answers.ca)
  const admin = { certificate: answers.cert, key: answers.key }
  const ask = createAsk(
    { ca: answers.ca, admin },
    { withinMs: DEFAULT_TIMES.requestWithinMs, pace: paceOf(0, () => performance.now()) },
  )
  try {
    return await sketchDeployment(ask, urls, probes)
  } catch (cause) {
    throw new SetupFault(`--cert or --key cannot be used (${codeOf(cause) || 'no PEM'})`, {
      code: 'D-CERT-UNREADABLE',
      next: "name PEM files with an administrator's certificate and its key",
      cause,
    })
  }
}

/** Writes the file, and takes it back when it is none that Assay itself would read. */
async function write(text: string, { out, force }: InitOptions): Promise<void> {
  writeFileSync(out, text, { flag: force ? 'w' : 'wx' })
  try {
    await loadTarget(out, { run: '/nowhere', ekCa: '/nowhere', env: process.env })
  } catch (error) {
    rmSync(out)
    throw error
  }
}

/**
 * `assay init`: asks for what it was not told, looks at the deployment, writes a target file and prints the next command.
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
    const answers = await interview(options, surroundings.ask ?? terminal?.ask)
    const urls = urlsOf(answers, options.testSystem ?? false)
    const sketch = await look(answers, urls, dialectProbes)
    const loopback = Object.values(urls).every((url) => isLoopback(new URL(url).hostname))
    await write(
      presentTarget({ ...answers, ...urls }, sketch, { out: options.out, loopback }),
      options,
    )
    out.write(
      `wrote ${options.out}: versions ${sketch.versions.join(', ')}, dialect ${sketch.dialect}\n`,
    )
    out.write(`next: assay doctor --target ${options.out}\n`)
    return 0
  } finally {
    terminal?.close()
  }
}
