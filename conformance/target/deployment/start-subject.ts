import { SetupFault } from '../../input/fault.ts'
import { fillIn } from '../placeholders.ts'
import type { RunDirectory } from '../processes/run-directory.ts'
import { type RunningCommand, spawnRecorded } from '../processes/spawn-recorded.ts'
import type { SubjectRole, Target, TargetSubject } from '../target.ts'

/** Members of a subject with words that its command ends with in some scenarios. */
export type SubjectEnding = 'withHost' | 'otherAlgorithms'

/** Addresses and files that a subject needs; an absent member has no variable. */
export interface SubjectSurroundings {
  readonly agentId: string
  readonly verifierUrl?: string
  readonly registrarUrl?: string
  /** Path of a PEM file with the CA of the servers that it must trust. */
  readonly ca?: string
  /** The address of its TPM, e.g. `swtpm:path=/tmp/x/tpm`. */
  readonly tpm?: string
  /** Values of the placeholders of its command and of its environment. */
  readonly words?: Readonly<Record<string, string>>
  /** Its command leaves the settings of TLS at their defaults. */
  readonly defaultTls?: boolean | undefined
  /** Its command ends with the words for these circumstances. */
  readonly ending?: SubjectEnding | undefined
  /** Arguments that are appended to its command. */
  readonly args?: readonly string[]
}

/** A subject that a scenario has started. */
export interface StartedSubject extends RunningCommand {
  readonly role: SubjectRole
  /** Time limit for its task, in milliseconds. */
  readonly withinMs: number
  /** Ends it with its process group. */
  readonly stop: () => Promise<void>
}

/** The variables with the subject's surroundings. They are public; the target's own `env` cannot override them. */
function environmentOf(
  { agentId, verifierUrl, registrarUrl, ca, tpm }: SubjectSurroundings,
  run: RunDirectory,
): Readonly<Record<string, string>> {
  return {
    ASSAY_AGENT_ID: agentId,
    ASSAY_RUN_DIR: run.path,
    ...(verifierUrl === undefined ? {} : { ASSAY_VERIFIER_URL: verifierUrl }),
    ...(registrarUrl === undefined ? {} : { ASSAY_REGISTRAR_URL: registrarUrl }),
    ...(ca === undefined ? {} : { ASSAY_CA: ca }),
    ...(tpm === undefined ? {} : { ASSAY_TPM: tpm }),
  }
}

function filledIn(
  command: TargetSubject,
  { words = {}, args = [], defaultTls, ending }: SubjectSurroundings,
): TargetSubject {
  const fill = (text: string) => fillIn(text, words)
  const usual = defaultTls ? (command.defaultTls ?? []) : command.command
  const env = Object.entries(command.env).map(([name, text]) => [name, fill(text)])
  return {
    ...command,
    command: [...usual, ...((ending && command[ending]) ?? [])].map(fill).concat(args),
    env: Object.fromEntries(env),
  }
}

/** The subject of a role; undefined if the target file has no command for it. */
export function subjectOf({ subjects }: Target, role: SubjectRole): TargetSubject | undefined {
  return subjects.find((subject) => subject.role === role)
}

/**
 * Starts the agent or tenant under test, with its surroundings in `ASSAY_…` variables and in the placeholders of its
 * command, without waiting for it. Throws a {@link SetupFault} if the target file has no such role, or its program
 * does not exist.
 */
export async function startSubject(
  target: Target,
  run: RunDirectory,
  role: SubjectRole,
  surroundings: SubjectSurroundings,
): Promise<StartedSubject> {
  const subject = subjectOf(target, role)
  if (subject === undefined) {
    throw new SetupFault(`${target.file} has no role ${role}`, {
      code: 'D-TARGET-KEY',
      next: `add roles.${role}.command to it`,
    })
  }
  const command = filledIn(subject, surroundings)
  const log = `${role}-${surroundings.agentId.replaceAll(/[^\w-]/g, '_')}`
  const task = { what: role, command, key: `roles.${role}`, file: target.file, log }
  const running = await spawnRecorded(
    { ...task, code: 'D-START-NOT-FOUND' },
    run,
    environmentOf(surroundings, run),
  )
  return { role, withinMs: command.withinMs, ...running, stop: () => run.end(running.pid) }
}
