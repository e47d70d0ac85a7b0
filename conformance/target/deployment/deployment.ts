import { setTimeout as pause } from 'node:timers/promises'
import { deferred } from '../../attempt/deferred.ts'
import { presentDuration } from '../../input/duration.ts'
import { SetupFault } from '../../input/fault.ts'
import type { SetupStep } from '../../report/result.ts'
import { refuseBadFiles } from '../check-files.ts'
import type { RunDirectory } from '../processes/run-directory.ts'
import { lastOutput } from '../processes/spawn-recorded.ts'
import type { ServiceRole, StartCommand, Target, TargetRole } from '../target.ts'
import { installEkTrust } from './ek-trust.ts'
import { type Probe, probe } from './probe.ts'
import { presentRole, type RoleToStart, type StartedRole, startRole } from './start-role.ts'

const EVERY_MS = 100
const ATTEMPT_MS = 3000

/** How a role died. */
export interface Death {
  readonly role: ServiceRole
  /** One sentence, with its exit code or signal and its last output if Assay has started it. */
  readonly says: string
}

/** A running target. */
export interface Deployment {
  readonly roles: Readonly<Partial<Record<ServiceRole, { readonly url: string }>>>
  /** Process ids of the started roles. */
  readonly pids: Readonly<Partial<Record<ServiceRole, number>>>
  /** One step per started role, for the report. */
  readonly steps: readonly SetupStep[]
  /** A sentence about the first started role that has ended; undefined while all run, and after `stop`. */
  readonly died: () => string | undefined
  /** Resolves with its role and that sentence when a started role ends; never if none does. */
  readonly whenDied: Promise<Death>
  /** Ends a started role and starts it again; resolves once it answers. Roles in the same process restart with it. */
  readonly restart: (role: ServiceRole) => Promise<void>
  /** Ends the started roles in reverse order, each with its process group. A second call waits for the first. */
  readonly stop: () => Promise<void>
}

function isToStart<T extends Pick<TargetRole, 'start'>>(
  entry: T,
): entry is T & { start: StartCommand } {
  return entry.start !== undefined
}

/** The variants to start; they need what the roles make, such as a CA. */
function variantsOf({ roles }: Target): readonly RoleToStart[] {
  return roles.flatMap(({ role, variants = [] }) =>
    variants
      .filter(isToStart)
      .map(({ name: variant, url, start }) => ({ role, variant, url, start })),
  )
}

function endedEarly(started: StartedRole, exitReason: string): SetupFault {
  return new SetupFault(
    `${presentRole(started)} ${exitReason} before it was ready: ${lastOutput(started)}`,
    {
      code: 'D-START-EXITED',
      next: `read ${started.logs.err}`,
    },
  )
}

function neverReady(entry: RoleToStart, started: StartedRole, last: string): SetupFault {
  const { path, withinMs } = entry.start.ready
  const within = presentDuration(withinMs)
  return new SetupFault(
    `${entry.role} did not answer ${entry.url}${path} within ${within}: ${last}`,
    {
      code: 'D-START-NOT-READY',
      next: `read ${started.logs.err}, or raise roles.${entry.role}.start.ready.within`,
    },
  )
}

/** The fault for a server that the CA of the target file does not vouch for. */
export function untrustedFault(
  { role, url }: TargetRole,
  answer: Extract<Probe, { kind: 'untrusted' }>,
): SetupFault {
  return new SetupFault(`${role} at ${url} ${answer.why}`, {
    code: answer.fault,
    next: answer.next,
  })
}

/**
 * Polls until any HTTP answer arrives over TLS. A TLS error counts only if it is seen twice: a deployment that writes
 * its own CA may be between the old file and the new one.
 */
async function awaitReady(entry: RoleToStart, started: StartedRole, ca: string): Promise<void> {
  const { path, withinMs } = entry.start.ready
  const deadline = performance.now() + withinMs
  let last: Exclude<Probe, { kind: 'answered' }> = {
    kind: 'silent',
    code: '',
    why: 'no request was sent',
  }
  let left = withinMs
  while (left > 0) {
    const answer = await probe(`${entry.url}${path}`, { ca, timeoutMs: Math.min(left, ATTEMPT_MS) })
    if (answer.kind === 'answered') return
    const exitReason = started.exitReason()
    if (exitReason !== undefined) throw endedEarly(started, exitReason)
    if (answer.kind === 'untrusted' && last.kind === 'untrusted')
      throw untrustedFault(entry, answer)
    last = answer
    await pause(EVERY_MS)
    left = deadline - performance.now()
  }
  throw neverReady(entry, started, last.why)
}

function diedOf(started: readonly StartedRole[]): string | undefined {
  const dead = started.find((one) => one.exitReason() !== undefined)
  return dead && `${presentRole(dead)} ${dead.exitReason()} during the run: ${lastOutput(dead)}`
}

/** The started roles of a deployment. A role is taken out before it is ended, so that only others can die. */
class StartedRoles {
  readonly list: StartedRole[] = []
  readonly whenDied: Promise<Death>
  readonly #die: (death: Death) => void

  constructor() {
    const { promise, resolve } = deferred<Death>()
    this.whenDied = promise
    this.#die = resolve
  }

  add(role: StartedRole): void {
    this.list.push(role)
    void role.ended.then(() => {
      const says = this.list.includes(role) ? diedOf([role]) : undefined
      if (says !== undefined) this.#die({ role: role.role, says })
    })
  }
}

/** Ends each of `started`, the last first, and removes it from the list. */
async function stopAll({ list }: StartedRoles, run: RunDirectory): Promise<void> {
  for (let last = list.pop(); last !== undefined; last = list.pop()) await run.end(last.pid)
}

/** A server with settings that are wrong may end: its scenarios then get no answer. */
const mayEnd = ({ variant }: RoleToStart): boolean => variant === 'other_authorization'

async function startAndAwait(
  target: Target,
  entry: RoleToStart,
  run: RunDirectory,
  started: StartedRoles,
) {
  const began = performance.now()
  const one = await startRole(target, entry, run)
  if (!mayEnd(entry)) started.add(one)
  let detail = 'ended at its start, as it may'
  try {
    await awaitReady(entry, one, target.tls.ca)
    if (mayEnd(entry)) started.add(one)
    detail = `ready after ${presentDuration(performance.now() - began)}`
  } catch (error) {
    if (!mayEnd(entry) || one.exitReason() === undefined) throw error
  }
  const ms = Math.round(performance.now() - began)
  return { what: `${presentRole(entry)} started`, ok: true, detail, ms }
}

async function restart(
  target: Target,
  role: ServiceRole,
  run: RunDirectory,
  started: StartedRoles,
): Promise<void> {
  const at = started.list.findIndex((one) => one.role === role && one.variant === undefined)
  const entry = target.roles.filter(isToStart).find((one) => one.role === role)
  const [running] = at === -1 ? [] : started.list.splice(at, 1)
  if (running === undefined || entry === undefined)
    throw new SetupFault(`${role} was not started by Assay, so Assay cannot restart it`, {
      next: `add hooks.${role}.restart to ${target.file}`,
    })
  await run.end(running.pid)
  await startAndAwait(target, entry, run, started)
}

/**
 * Starts the roles that have a `start`, in the order of the file, each after the previous one is ready. The
 * administrator's files are checked first if they exist. If a role cannot be started, the roles started so far are
 * ended, and the {@link SetupFault} names the role, the reason and the next step. `onStep` receives each step when it
 * is done.
 */
export async function startDeployment(
  target: Target,
  run: RunDirectory,
  onStep: (step: SetupStep) => void = () => undefined,
): Promise<Deployment> {
  refuseBadFiles(target)
  const started = new StartedRoles()
  const steps: SetupStep[] = []
  const done = (step: SetupStep): void => {
    steps.push(step)
    onStep(step)
  }
  const startOne = async (entry: RoleToStart) =>
    done(await startAndAwait(target, entry, run, started))
  try {
    for (const step of await installEkTrust(target, run)) done(step)
    for (const entry of target.roles.filter(isToStart)) await startOne(entry)
    await Promise.all(variantsOf(target).map(startOne))
  } catch (error) {
    await stopAll(started, run)
    throw error
  }
  const roles = Object.fromEntries(target.roles.map(({ role, url }) => [role, { url }]))
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopAll(started, run)
    return stopping
  }
  return {
    roles,
    get pids() {
      const roles = started.list.filter(({ variant }) => variant === undefined)
      return Object.fromEntries(roles.map(({ role, pid }) => [role, pid]))
    },
    steps,
    died: () => diedOf(started.list),
    whenDied: started.whenDied,
    restart: (role) => restart(target, role, run, started),
    stop,
  }
}
