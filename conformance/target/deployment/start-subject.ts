import { SetupFault } from '../../input/fault.ts'
import { fillIn } from '../placeholders.ts'
import type { RunDirectory } from '../processes/run-directory.ts'
import { type RunningCommand, spawnRecorded } from '../processes/spawn-recorded.ts'
import type { SubjectRole, Target, TargetSubject } from '../target.ts'

/** Where a subject finds what it needs; absent members are absent from its environment. */
export interface SubjectSurroundings {
  readonly agentId: string
  readonly verifierUrl?: string
  readonly registrarUrl?: string
  /** Path of a PEM file with the CA of the servers it shall trust. */
  readonly ca?: string
  /** How its TPM is reached, e.g. `swtpm:path=/tmp/x/tpm`. */
  readonly tpm?: string
  /** What the placeholders of its command and of its environment stand for. */
  readonly words?: Readonly<Record<string, string>>
  /** Behind the words of its command. */
  readonly args?: readonly string[]
}

/** A subject that scenarios have started. */
export interface StartedSubject extends RunningCommand {
  readonly role: SubjectRole
  /** How long it may take for what it was started for, in milliseconds. */
  readonly withinMs: number
  /** Ends it with its process group. */
  readonly stop: () => Promise<void>
}

/** Every variable with which a subject is told where it is; these are public, a target's own `env` cannot change them. */
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
  { words = {}, args = [] }: Pick<SubjectSurroundings, 'words' | 'args'>,
): TargetSubject {
  const fill = (text: string) => fillIn(text, words)
  const env = Object.entries(command.env).map(([name, text]) => [name, fill(text)])
  return {
    ...command,
    command: [...command.command.map(fill), ...args],
    env: Object.fromEntries(env),
  }
}

/** The subject of a role; undefined when the target file names no command for it. */
export function subjectOf({ subjects }: Target, role: SubjectRole): TargetSubject | undefined {
  return subjects.find((subject) => subject.role === role)
}

/**
 * Starts the agent or tenant that is judged, with its surroundings in `ASSAY_…` variables and in the placeholders of its
 * command, and does not wait for it.
 * Throws a {@link SetupFault} when the target file has no such role, or its command is not there.
 */
export async function startSubject(
  target: Target,
  run: RunDirectory,
  role: SubjectRole,
  surroundings: SubjectSurroundings,
): Promise<StartedSubject> {
  const said = subjectOf(target, role)
  if (said === undefined) {
    throw new SetupFault(`${target.file} has no role ${role}`, {
      code: 'D-TARGET-KEY',
      next: `add roles.${role}.command to it`,
    })
  }
  const command = filledIn(said, surroundings)
  const log = `${role}-${surroundings.agentId.replaceAll(/[^\w-]/g, '_')}`
  const task = { what: role, command, key: `roles.${role}`, file: target.file, log }
  const running = await spawnRecorded(
    { ...task, code: 'D-START-NOT-FOUND' },
    run,
    environmentOf(surroundings, run),
  )
  return { role, withinMs: command.withinMs, ...running, stop: () => run.end(running.pid) }
}
