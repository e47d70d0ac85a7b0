import { toHex } from '../../../bytes/hex.ts'
import type { Check } from '../../check.ts'
import type { Finding } from '../../findings.ts'
import type { EfiVariable } from '../log/efi-variable.ts'
import type { ReadEvent } from '../log/event-data.ts'
import { isLookedUp, type SignatureEntry } from '../log/signature-lists.ts'
import { type BootPolicyCase, eventsOf } from './boot-policy-case.ts'
import { AUTHORITIES, KEY_VARIABLES, type VariableNames, VENDORS } from './boot-rules.ts'
import { broken, brokenBy, quoted } from './policy-findings.ts'
import type { KeyMember } from './reference-state.ts'

/** Member of a reference state -> the variable it is about. */
const DATABASES: Readonly<Record<KeyMember, { readonly guid: string; readonly name: string }>> = {
  pk: { guid: VENDORS.global, name: 'PK' },
  kek: { guid: VENDORS.global, name: 'KEK' },
  db: { guid: VENDORS.imageSecurity, name: 'db' },
  dbx: { guid: VENDORS.imageSecurity, name: 'dbx' },
  vendor_db: { guid: VENDORS.shim, name: 'vendor_db' },
}

/** The variable in an event of PCR 7, when its data is proven. */
function variableIn({ data }: ReadEvent): EfiVariable | undefined {
  return data.kind === 'known' && 'variable' in data.value ? data.value.variable : undefined
}

function presentVariable(event: ReadEvent): string {
  const { guid, name } = variableIn(event) ?? { guid: '', name: '' }
  return `${quoted(name)} of vendor ${guid}`
}

function measuredIn(boot: BootPolicyCase, guid: string, name: string): readonly ReadEvent[] {
  return eventsOf(boot, 'keys').filter((event) => {
    const variable = variableIn(event)
    return variable?.name === name && variable.guid === guid
  })
}

/** The signatures of a database as it was measured; undefined when it was not. */
export function measuredKeys(
  boot: BootPolicyCase,
  member: KeyMember,
): readonly SignatureEntry[] | undefined {
  const { guid, name } = DATABASES[member]
  const measured = measuredIn(boot, guid, name)
  if (measured.length === 0) return undefined
  return measured.flatMap(({ data }) =>
    data.kind === 'known' && data.value.what === 'keys' ? data.value.entries : [],
  )
}

function shortly({ owner, data }: Pick<SignatureEntry, 'owner' | 'data'>): string {
  return `${data.slice(0, 64)}${data.length > 64 ? '…' : ''} of ${owner}`
}

/** Databases that may have no more than the reference state names. */
function subset(member: Exclude<KeyMember, 'dbx'>): Check<BootPolicyCase> {
  return {
    id: `boot-policy.${member.replace('_', '-')}`,
    why: `the owner of a key in ${DATABASES[member].name} decides what boots`,
    run: (boot) => {
      const allowed = boot.policy.state.keys.get(member)
      const measured = allowed && measuredKeys(boot, member)
      if (!allowed) return undefined
      if (!measured) return missing(boot, member, allowed.entries.length)
      const strange = measured.filter((entry) => !allowed.has(entry))
      const [first] = strange
      return (
        first &&
        broken(boot, `${member} has ${shortly(first)}, which is not in the reference state`, {
          extra: strange.length,
        })
      )
    },
  }
}

function missing(boot: BootPolicyCase, member: KeyMember, expected: number): Finding | undefined {
  return expected > 0
    ? broken(boot, `${DATABASES[member].name} was not measured, and the policy has ${member}`)
    : undefined
}

/** PCR of Secure Boot, its databases, and what they let boot. */
const KEYS_PCR = 7

/** Value of SecureBoot where it is on. */
const ON = '01'

function secureBootValues(boot: BootPolicyCase): readonly string[] {
  return measuredIn(boot, VENDORS.global, 'SecureBoot').map(({ data }) =>
    data.kind === 'known' && data.value.what === 'variable' ? toHex(data.value.variable.value) : '',
  )
}

/** Whether Secure Boot was measured, and is on. */
export function isSecureBootOn(boot: BootPolicyCase): boolean {
  const values = secureBootValues(boot)
  return values.length > 0 && values.every((value) => value === ON)
}

/** The checks of PCR 7. */
export const keyChecks: readonly Check<BootPolicyCase>[] = [
  {
    id: 'boot-policy.secure-boot',
    why: 'without Secure Boot the databases of keys decide nothing',
    run: (boot) => {
      const wanted = boot.policy.state.hasSecureboot
      const measured = secureBootValues(boot)
      if (measured.length === 0)
        return wanted
          ? broken(boot, 'SecureBoot was not measured, and the policy asks it to be on')
          : undefined
      const message = `SecureBoot is ${measured.join(', ')}, and the policy asks it to be ${wanted ? 'on' : 'off'}`
      return measured.every((value) => (value === ON) === wanted)
        ? undefined
        : broken(boot, message)
    },
  },
  {
    id: 'boot-policy.variables',
    why: 'an unknown variable may hold further keys',
    run: (boot) =>
      brokenBy(
        boot,
        unknownIn(eventsOf(boot, 'keys'), KEY_VARIABLES),
        (event) => `is of the variable ${presentVariable(event)}, which the policy does not know`,
      ),
  },
  {
    id: 'boot-policy.variables-once',
    why: 'a program that runs after the separator can extend PCR 7 by any database, but cannot take one back',
    run: (boot) =>
      brokenBy(
        boot,
        lateOrAgain(boot),
        (event) => `is of ${presentVariable(event)}, a second time or behind the separator`,
      ),
  },
  subset('pk'),
  subset('kek'),
  subset('db'),
  subset('vendor_db'),
  {
    id: 'boot-policy.dbx',
    why: 'what was revoked boots again where the list of it is shorter',
    run: (boot) => {
      const revoked = boot.policy.state.keys.get('dbx')
      if (!revoked) return undefined
      const measured = measuredKeys(boot, 'dbx')?.filter(isLookedUp)
      if (!measured) return missing(boot, 'dbx', revoked.entries.length)
      const lost = revoked.missingFrom(measured)
      const [first] = lost
      return first && broken(boot, `dbx lacks ${shortly(first)}`, { missing: lost.length })
    },
  },
  {
    id: 'boot-policy.authorities',
    why: 'the authority of a boot loader is measured apart from the databases, and may be in none of them',
    run: (boot) => {
      const authorities = eventsOf(boot, 'authority')
      const unknown = unknownIn(authorities, AUTHORITIES)
      if (unknown.length > 0)
        return brokenBy(
          boot,
          unknown,
          (event) =>
            `is by the authority ${presentVariable(event)}, which the policy does not know`,
        )
      const strange = authorities.filter((event) => !isAllowed(boot, event))
      return brokenBy(
        boot,
        strange,
        (event) => `is by a key that is not in ${variableIn(event)?.name} of the reference state`,
      )
    },
  },
]

/** Variables of the firmware behind its separator, and every variable that was measured before. */
function lateOrAgain(boot: BootPolicyCase): readonly ReadEvent[] {
  const [separator] = eventsOf(boot, 'separator').filter(({ pcr }) => pcr === KEYS_PCR)
  const end = separator?.number ?? Number.POSITIVE_INFINITY
  const seen = new Set<string>()
  return knownIn(eventsOf(boot, 'keys'), KEY_VARIABLES).filter((event) => {
    const { guid, name } = variableIn(event) ?? { guid: '', name: '' }
    const isAgain = seen.has(`${guid} ${name}`)
    seen.add(`${guid} ${name}`)
    return isAgain || (guid !== VENDORS.shim && event.number > end)
  })
}

function knownIn(events: readonly ReadEvent[], known: VariableNames): readonly ReadEvent[] {
  const unknown = new Set(unknownIn(events, known))
  return events.filter((event) => variableIn(event) && !unknown.has(event))
}

function unknownIn(events: readonly ReadEvent[], known: VariableNames): readonly ReadEvent[] {
  return events.filter((event) => {
    const variable = variableIn(event)
    return variable !== undefined && !known.get(variable.guid)?.has(variable.name)
  })
}

const AUTHORITY_MEMBERS: ReadonlyMap<string, KeyMember> = new Map([
  ['db', 'db'],
  ['vendor_db', 'vendor_db'],
])

/** An authority of a database that the policy has is one of its keys. */
function isAllowed({ policy }: BootPolicyCase, { data }: ReadEvent): boolean {
  if (data.kind !== 'known' || data.value.what !== 'authority') return true
  const { variable, entry } = data.value
  const member = AUTHORITY_MEMBERS.get(variable.name)
  const allowed = member && policy.state.keys.get(member)
  return !allowed || (entry !== undefined && allowed.has(entry))
}
