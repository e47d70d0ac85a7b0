import { remeasured } from '../../../../../simulator/platform/edit-events.ts'
import type { EditEvents } from '../../../../../simulator/platform/scripted-boot.ts'
import { cat, filled, text } from '../../../../../simulator/tpm/write.ts'
import { signatureData } from '../../../../../simulator/uefi/event-data.ts'
import { EV } from '../../../../../simulator/uefi/event-types.ts'
import { GUIDS } from '../../../../../simulator/uefi/guid.ts'
import type { UefiEvent } from '../../../../../simulator/uefi/log.ts'
import { OWNER } from '../../../../../simulator/uefi/profiles/secure-boot-keys.ts'
import { readSignatureLists, readVariable } from '../../../../../simulator/uefi/read-data.ts'
import { ALTERATIONS, firstBit, lastBit, type NearMiss, type NearMissGroup } from '../near-miss.ts'
import {
  authority,
  booted,
  config,
  digestsAltered,
  listsOf,
  ofVariable,
  replaced,
  STRANGER,
  strange,
  variableAs,
} from './evidence.ts'
import { REVOKED_KINDS } from './revoked.ts'
import { SEPARATED } from './separators.ts'
import { VENDOR } from './vendor.ts'

const ROW = 'VER-EVIDENCE-BOOT-JUDGES'
const OTHER_OWNER = '11111111-1111-4111-8111-111111111111'

function after(sends: string, events: EditEvents): NearMiss {
  return { sends, breaks: ROW, evidence: () => booted({ events }) }
}

/** Changes the content of a variable. */
function content(name: string, change: (data: Uint8Array) => Uint8Array): EditEvents {
  return replaced(config(name), (one) => [
    variableAs(one, { data: change(readVariable(one.data).data) }),
  ])
}

type Signatures = ReturnType<typeof readSignatureLists>

/** Changes the signatures of a database, each of which gets a list of its own. */
function signatures(
  name: string,
  change: (found: Signatures) => readonly Pick<Signatures[number], 'owner' | 'data'>[],
): EditEvents {
  const type = name === 'dbx' ? GUIDS.certSha256 : GUIDS.certX509
  return content(name, (data) => listsOf(change(readSignatureLists(data)), type))
}

const DATABASES: readonly NearMiss[] = ['PK', 'KEK', 'db'].flatMap((name) => [
  after(
    `a further key before those of ${name}`,
    signatures(name, (found) => [strange, ...found]),
  ),
  after(
    `a further key behind those of ${name}`,
    signatures(name, (found) => [...found, strange]),
  ),
  after(
    `another key in place of the last of ${name}`,
    signatures(name, (found) => [...found.slice(0, -1), strange]),
  ),
  after(
    `the keys of ${name} with another first bit`,
    signatures(name, (found) => found.map(({ owner, data }) => ({ owner, data: firstBit(data) }))),
  ),
  after(
    `the keys of ${name} with another last bit`,
    signatures(name, (found) => found.map(({ owner, data }) => ({ owner, data: lastBit(data) }))),
  ),
  after(
    `the keys of ${name} by another owner`,
    signatures(name, (found) => found.map(({ data }) => ({ owner: OTHER_OWNER, data }))),
  ),
  after(
    `a log without ${name}`,
    replaced(config(name), () => []),
  ),
  after(
    `a second measurement of ${name} with a further key`,
    replaced(config(name), (one) => [
      one,
      variableAs(one, { data: listsOf([strange], GUIDS.certX509) }),
    ]),
  ),
])

const emptied = (event: UefiEvent) => variableAs(event, { data: filled(0) })

const REVOKED: readonly NearMiss[] = [
  after(
    'dbx without its first signature',
    signatures('dbx', (found) => found.slice(1)),
  ),
  after(
    'dbx without its last signature',
    signatures('dbx', (found) => found.slice(0, -1)),
  ),
  after(
    'dbx with another signature in place of one',
    signatures('dbx', (found) => [...found.slice(1), { owner: OWNER, data: filled(32, 7) }]),
  ),
  after(
    'dbx with its digests in a list of certificates',
    content('dbx', (data) => listsOf(readSignatureLists(data), GUIDS.certX509)),
  ),
  after(
    'a log without dbx',
    replaced(config('dbx'), () => []),
  ),
  after(
    'an empty dbx, and the one of the policy behind it',
    replaced(config('dbx'), (one) => [emptied(one), one]),
  ),
  after('an empty dbx, and the one of the policy behind all other events', (events) => [
    ...replaced(config('dbx'), (one) => [emptied(one)])(events),
    ...events.filter(config('dbx')),
  ]),
]

const on = config('SecureBoot')

function secureBoot(sends: string, ...values: readonly (readonly number[])[]): NearMiss {
  return after(
    sends,
    replaced(on, (one) =>
      values.map((value) => variableAs(one, { data: Uint8Array.of(...value) })),
    ),
  )
}

const SECURE_BOOT: readonly NearMiss[] = [
  secureBoot('SecureBoot that is off'),
  secureBoot('SecureBoot that is on, and then off', [1], [0]),
  secureBoot('SecureBoot that is off, and then on', [0], [1]),
  secureBoot('SecureBoot with the bytes 0 and 1', [0, 1]),
  secureBoot('SecureBoot without a value', []),
  after(
    'SecureBoot of another vendor',
    replaced(on, (one) => [variableAs(one, { guid: GUIDS.shim })]),
  ),
  after(
    'SecureBoot in upper case',
    replaced(on, (one) => [variableAs(one, { name: 'SECUREBOOT' })]),
  ),
  after(
    'an unknown variable',
    replaced(on, (one) => [one, variableAs(one, { name: 'MyKeys' })]),
  ),
  after(
    'db of another vendor',
    replaced(config('db'), (one) => [one, variableAs(one, { guid: GUIDS.globalVariable })]),
  ),
]

/** The trust in shim's list, which shim measures as one byte in place of a signature. */
const TRUSTED: NearMiss = {
  sends: 'MokListTrusted of shim behind the authorities',
  evidence: () =>
    booted({
      events: replaced(ofVariable('SbatLevel', EV.EFI_VARIABLE_AUTHORITY), (one) => [
        one,
        variableAs(one, { name: 'MokListTrusted', data: Uint8Array.of(1) }),
      ]),
    }),
}

const withKey = (event: UefiEvent, data: Uint8Array) => variableAs(event, { data })

const AUTHORITIES: readonly NearMiss[] = [
  after(
    'a second authority that db does not have',
    replaced(authority, (one) => [one, withKey(one, signatureData(OWNER, STRANGER))]),
  ),
  after(
    'an authority that db does not have before one that it has',
    replaced(authority, (one) => [withKey(one, signatureData(OWNER, STRANGER)), one]),
  ),
  after('an authority that db does not have before the separator', (events) => {
    const [one] = events.filter(authority)
    const at = events.findIndex(({ pcr, type }) => pcr === 7 && type === EV.SEPARATOR)
    return one ? events.toSpliced(at, 0, withKey(one, signatureData(OWNER, STRANGER))) : events
  }),
  // As early shims measured it: the certificate alone, and five of the six bytes behind it.
  after(
    'an authority of an early shim that db does not have',
    replaced(authority, (one) => {
      const { data } = withKey(one, STRANGER)
      const { digests } = remeasured(one, cat(data, filled(5)))
      return [one, { ...one, data: cat(data, filled(6)), digests }]
    }),
  ),
  after(
    'an authority that is no signature',
    replaced(authority, (one) => [withKey(one, filled(8))]),
  ),
  after(
    'an authority with an unknown name',
    replaced(authority, (one) => [one, variableAs(one, { name: 'mine' })]),
  ),
  after(
    'an authority of another vendor',
    replaced(authority, (one) => [one, variableAs(one, { guid: OTHER_OWNER })]),
  ),
]

/** Events whose digest is not that of their data. */
const UNPROVEN: readonly NearMiss[] = (
  [
    ['SecureBoot', on],
    ['db', config('db')],
    ['an authority', authority],
  ] as const
).map(([says, find]) =>
  after(
    `${says} with a digest of something else`,
    replaced(find, (one) => [{ ...one, digests: remeasured(one, text('something else')).digests }]),
  ),
)

/** Events whose digest is that of their data in a part. */
const HALF_PROVEN: readonly NearMiss[] = ALTERATIONS.map(([says, alter]) =>
  after(
    `SecureBoot with a digest ${says}`,
    replaced(on, (one) => [digestsAltered(one, alter)]),
  ),
)

/** A further db that its digest does not cover. */
const UNPROVEN_SECOND = after(
  'a second db with a digest of something else',
  replaced(config('db'), (one) => {
    const further = variableAs(one, { data: listsOf([strange], GUIDS.certX509) })
    return [one, { ...further, digests: remeasured(one, text('something else')).digests }]
  }),
)

export const BOOT_KEYS: NearMissGroup = {
  id: 'boot-keys',
  title: 'The verifier compares every key of Secure Boot with the measured boot policy',
  needs: ['uefi_log', 'measured_boot'],
  rows: [
    { sends: 'the keys that the policy names', evidence: () => booted() },
    {
      sends: 'a further signature in dbx',
      evidence: () =>
        booted({
          events: signatures('dbx', (found) => [...found, { owner: OWNER, data: filled(32, 7) }]),
        }),
    },
    TRUSTED,
    ...DATABASES,
    ...REVOKED,
    ...REVOKED_KINDS,
    ...SECURE_BOOT,
    ...AUTHORITIES,
    ...UNPROVEN,
    ...HALF_PROVEN,
    ...VENDOR,
    ...SEPARATED,
    UNPROVEN_SECOND,
    { sends: 'the keys that the policy names again', evidence: () => booted() },
  ],
}
