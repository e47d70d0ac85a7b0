import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { subjectOf } from '../../../conformance/target/deployment/start-subject.ts'
import { fillIn } from '../../../conformance/target/placeholders.ts'
import type { Target, TargetSubject } from '../../../conformance/target/target.ts'
import type { MachineParts, PlaygroundMachine, ServerPlaces } from '../playground-machine.ts'

/** A script that runs the tenant of the target file. */
export interface TenantScript {
  readonly path: string
  /** The command that the script runs. */
  readonly command: string
}

/** Writes a script that runs the tenant with the real paths and ports; undefined if the target file has no tenant. */
export function writeTenantScript(
  target: Target,
  { run, isKept }: Pick<MachineParts, 'run' | 'isKept'>,
  places: ServerPlaces,
): TenantScript | undefined {
  const tenant = subjectOf(target, 'tenant')
  if (tenant === undefined) return undefined
  const directory = join(run.path, 'tenant-files')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const words = wordsOf(target, places, directory)
  const command = tenant.command.map((word) => quoted(absolute(fillIn(word, words), tenant)))
  const variables = Object.entries(tenant.env).map(
    ([name, value]) => `export ${name}=${quoted(fillIn(value, words))}\n`,
  )
  // The socket directory has a short path; a kept playground needs a permanent one.
  const path = join(isKept ? run.path : run.sockets, 'tenant')
  writeFileSync(path, `#!/bin/sh\n${variables.join('')}exec ${command.join(' ')} "$@"\n`, {
    mode: 0o700,
  })
  return { path, command: command.join(' ') }
}

function wordsOf(
  { tls }: Target,
  { registrar, verifier, plainRegistrar }: ServerPlaces,
  directory: string,
) {
  return {
    'tenant.dir': directory,
    'registrar.host': registrar.host,
    'registrar.port': String((plainRegistrar ?? registrar).port),
    'registrar.tls_port': String(registrar.port),
    'verifier.host': verifier.host,
    'verifier.port': String(verifier.port),
    client_ca: tls.ca,
    client_cert: tls.admin.certificate,
    client_key: tls.admin.key,
  }
}

/** Makes paths absolute, because the script is not run in the directory of the target file. */
function absolute(word: string, { cwd }: TargetSubject): string {
  const path = resolve(cwd, word)
  return word.includes('/') && existsSync(path) ? path : word
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Tenant commands for these machines, a line each. */
export function tenantCommands(
  script: TenantScript | undefined,
  machines: readonly PlaygroundMachine[],
): readonly string[] {
  if (script === undefined) return ['the target file has no tenant']
  const [some] = machines
  const all = [`${script.path} -c cvlist`, `${script.path} -c reglist`]
  if (some === undefined) return all
  const each = machines.map(
    ({ name, kind, agentId }) => `${script.path} -c cvstatus -u ${agentId}    # ${name}, ${kind}`,
  )
  return [...all, ...each, `${script.path} -c reactivate -u ${some.agentId}    # after a failure`]
}
