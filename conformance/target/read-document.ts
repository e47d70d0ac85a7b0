import { resolve } from 'node:path'
import { parseDuration } from '../input/duration.ts'
import { SetupFault } from '../input/fault.ts'
import type { YamlSource } from '../input/yaml-source.ts'
import { isLoopback, isPlainBase } from './role-url.ts'
import {
  type EkTrust,
  HOOK_NAMES,
  type Lifetimes,
  type ServiceRole,
  type StartCommand,
  type SubjectRole,
  type TargetDialect,
  type TargetHooks,
  type TargetRole,
  type TargetSubject,
  type TimedCommand,
  type VariantName,
} from './target.ts'
import type {
  RoleDocument,
  RoleHooksDocument,
  SubjectDocument,
  TargetDocument,
  TimedCommandDocument,
} from './target-document.ts'

/** The path of a target file, and the positions of its values. */
export interface Places {
  readonly file: string
  readonly directory: string
  readonly source: YamlSource
}

const SUBJECT_ROLES: readonly string[] = ['pull_agent', 'push_agent', 'tenant', 'tenant_web']
const DEFAULT_WITHIN = '20s'
/** The lifetimes by their keys in the target file. */
const LIFETIMES: Readonly<Record<string, keyof Lifetimes>> = {
  token_lifetime: 'token',
  session_challenge_lifetime: 'sessionChallenge',
  challenge_lifetime: 'challenge',
}
const SCHEMES = { url: 'https', http: 'http' } as const

/**
 * Scheme, host and port of a role's URL; refuses a URL with more than that, or of another machine without permission.
 */
function checkUrl(
  text: string,
  scheme: 'http' | 'https',
  loopbackOnly: boolean,
  say: (sentence: string) => string,
): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !isPlainBase(url, scheme)) {
    const expected = `an ${scheme} URL of scheme, host and port, such as ${scheme}://127.0.0.1:8881`
    throw new SetupFault(say(`is ${JSON.stringify(text)}, expected ${expected}`), {
      code: 'D-TARGET-URL',
    })
  }
  if (loopbackOnly && !isLoopback(url.hostname)) {
    throw new SetupFault(say(`names ${url.hostname}, which is not this machine`), {
      code: 'D-LOOPBACK',
      next: 'set safety.loopback_only to false if that is a test system you may send hostile requests to',
    })
  }
  return url.origin
}

function startOf(start: NonNullable<RoleDocument['start']>, directory: string): StartCommand {
  return {
    command: start.command,
    cwd: resolve(directory, start.cwd ?? '.'),
    env: { ...start.env },
    ready: { path: start.ready.path, withinMs: parseDuration(start.ready.within) },
  }
}

function timedCommandOf(declared: TimedCommandDocument, directory: string): TimedCommand {
  return {
    command: declared.command,
    cwd: resolve(directory, declared.cwd ?? '.'),
    env: { ...declared.env },
    withinMs: parseDuration(declared.within ?? DEFAULT_WITHIN),
  }
}

/** The roles that listen, in the order of the file, with the variants that are wanted. */
export function rolesOf(
  document: TargetDocument,
  places: Places,
  wanted: readonly VariantName[],
): readonly TargetRole[] {
  const { directory, source } = places
  const named = Object.entries(document.roles).filter(([name]) => !SUBJECT_ROLES.includes(name))
  return named.map(([name, entry]) => {
    const [role, declared] = [name as ServiceRole, entry as RoleDocument]
    const check = (text: string, key: 'url' | 'http') =>
      checkUrl(text, SCHEMES[key], document.safety.loopback_only, (sentence) => {
        return `${source.placeOf(['roles', role, key])}: roles.${role}.${key} ${sentence}`
      })
    return {
      ...{ role, url: check(declared.url, 'url') },
      ...(declared.http === undefined ? {} : { http: check(declared.http, 'http') }),
      ...(declared.start === undefined ? {} : { start: startOf(declared.start, directory) }),
      ...variantsOf(declared, wanted, directory, (text, name) =>
        checkUrl(text, 'https', document.safety.loopback_only, (sentence) => {
          const keys = ['roles', role, 'variants', name, 'url']
          return `${source.placeOf(keys)}: ${keys.join('.')} ${sentence}`
        }),
      ),
    }
  })
}

function variantsOf(
  { variants = {} }: RoleDocument,
  wanted: readonly VariantName[],
  directory: string,
  checkedUrl: (text: string, name: VariantName) => string,
): Pick<TargetRole, 'variants'> {
  const all = wanted.flatMap((name) => {
    const declared = variants[name]
    if (declared === undefined) return []
    const { url, start, time = {} } = declared
    return [
      {
        ...{ name, url: checkedUrl(url, name), lifetimes: lifetimesOf(time) },
        ...(start && { start: startOf(start, directory) }),
      },
    ]
  })
  return all.length === 0 ? {} : { variants: all }
}

/** The lifetimes among named durations. */
export function lifetimesOf(time: Readonly<Record<string, string>>): Lifetimes {
  const entries = Object.entries(LIFETIMES).flatMap(([key, name]) =>
    time[key] === undefined ? [] : [[name, parseDuration(time[key])]],
  )
  return Object.fromEntries(entries)
}

/** The roles that scenarios start, in the order of the file. */
export function subjectsOf(
  document: TargetDocument,
  { directory }: Places,
): readonly TargetSubject[] {
  const named = Object.entries(document.roles).filter(([name]) => SUBJECT_ROLES.includes(name))
  return named.map(([name, entry]) => {
    const [role, declared] = [name as SubjectRole, entry as SubjectDocument]
    const { payload, default_tls: defaultTls, with_host: withHost } = declared
    const { other_algorithms: otherAlgorithms } = declared
    const more = {
      ...(payload && { payload }),
      ...(defaultTls && { defaultTls }),
      ...(withHost && { withHost }),
      ...(otherAlgorithms && { otherAlgorithms }),
    }
    return { role, ...timedCommandOf(declared, directory), ...more }
  })
}

export function ekTrustOf(
  { ek_trust: declared = 'unchecked' }: TargetDocument,
  { directory }: Places,
): EkTrust {
  if (typeof declared === 'string') return { kind: declared }
  const install = timedCommandOf({ ...declared, command: declared.install }, directory)
  return { kind: 'install', install }
}

function namedHooks(declared: RoleHooksDocument, directory: string): TargetHooks['general'] {
  const entries = HOOK_NAMES.flatMap((name) => {
    const hook = declared[name]
    return hook === undefined ? [] : [[name, timedCommandOf(hook, directory)]]
  })
  return Object.fromEntries(entries)
}

export function hooksOf({ hooks }: TargetDocument, { directory }: Places): TargetHooks {
  const { registrar, verifier } = hooks
  return {
    general: namedHooks(hooks, directory),
    roles: {
      ...(registrar && { registrar: namedHooks(registrar, directory) }),
      ...(verifier && { verifier: namedHooks(verifier, directory) }),
    },
  }
}

export function dialectOf(
  { dialect: declared = {} }: TargetDocument,
  { source }: Places,
): TargetDialect {
  const placeOf: TargetDialect['placeOf'] = (key) =>
    source.placeOf(key === undefined ? ['dialect'] : ['dialect', key])
  if (typeof declared === 'string') return { base: declared, values: {}, placeOf }
  const { base = 'document', ...values } = declared
  return { base, values, placeOf }
}
