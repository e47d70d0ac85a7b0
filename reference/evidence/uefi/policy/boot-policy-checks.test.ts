import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toHex } from '../../../bytes/hex.ts'
import { Reader } from '../../../bytes/reader.ts'
import { concat } from '../../../bytes/writer.ts'
import { hashes } from '../../../tpm/algorithms.ts'
import { digestOf } from '../../../tpm/digest.ts'
import { provenPcrs } from '../../testing/proven-pcrs.ts'
import {
  bytesOf,
  listsOf,
  signatureOf,
  variableOf,
  type WrittenEvent,
  writtenLog,
} from '../../testing/written-log.ts'
import { defaultBootChecks, evaluateUefi } from '../evaluate-uefi.ts'
import { parseBootLog } from '../log/parse-log.ts'
import { replayBank } from '../log/replay.ts'
import { isLookedUp } from '../log/signature-lists.ts'
import type { BootPolicyName } from './boot-policy.ts'
import { bootPolicyChecks } from './boot-policy-checks.ts'
import { parseReferenceState } from './reference-state.ts'

const KEY = signatureOf(bytesOf('a key'))
const ONES = new Uint8Array(4).fill(0xff)
const OTHER = signatureOf(bytesOf('another key'))
const REVOKED = signatureOf(bytesOf('revoked'))
const CONFIG = 'EV_EFI_VARIABLE_DRIVER_CONFIG'

/** A boot with one event of every kind that a policy checks. */
const BOOT = {
  version: { pcr: 0, type: 'EV_S_CRTM_VERSION', data: bytesOf('version') },
  firmware: {
    pcr: 0,
    type: 'EV_EFI_PLATFORM_FIRMWARE_BLOB',
    data: new Uint8Array(16),
    measured: bytesOf('volume'),
  },
  tables: { pcr: 0, type: 'EV_POST_CODE', data: bytesOf('ACPI DATA'), measured: bytesOf('tables') },
  secureBoot: { pcr: 7, type: CONFIG, data: variableOf('global', 'SecureBoot', Uint8Array.of(1)) },
  pk: { pcr: 7, type: CONFIG, data: variableOf('global', 'PK', listsOf([KEY])) },
  kek: { pcr: 7, type: CONFIG, data: variableOf('global', 'KEK', listsOf([KEY])) },
  db: { pcr: 7, type: CONFIG, data: variableOf('security', 'db', listsOf([KEY])) },
  dbx: { pcr: 7, type: CONFIG, data: variableOf('security', 'dbx', listsOf([REVOKED])) },
  ...Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6, 7].map(
      (pcr) => [`cap${pcr}`, { pcr, type: 'EV_SEPARATOR', data: new Uint8Array(4) }] as const,
    ),
  ),
  authority: { pcr: 7, type: 'EV_EFI_VARIABLE_AUTHORITY', data: variableOf('security', 'db', KEY) },
  action: {
    pcr: 4,
    type: 'EV_EFI_ACTION',
    data: bytesOf('Calling EFI Application from Boot Option'),
  },
  image: {
    pcr: 4,
    type: 'EV_EFI_BOOT_SERVICES_APPLICATION',
    data: new Uint8Array(32),
    measured: bytesOf('loader'),
  },
  mok: { pcr: 14, type: 'EV_IPL', data: bytesOf('MokList\0'), measured: bytesOf('keys') },
  line: {
    pcr: 8,
    type: 'EV_IPL',
    data: bytesOf('kernel_cmdline: linux ro\0'),
    measured: bytesOf('linux ro'),
  },
  initrd: { pcr: 9, type: 'EV_IPL', data: bytesOf('/initrd\0'), measured: bytesOf('initrd') },
} as const satisfies Readonly<Record<string, WrittenEvent>>

type Change = Readonly<Record<string, Partial<WrittenEvent> | null>>

function digest(text: string): string {
  return `0x${toHex(digestOf(hashes.sha256, bytesOf(text)))}`
}

function keys(...signatures: readonly Uint8Array[]) {
  return signatures.map((signature) => ({
    SignatureOwner: '11111111-1111-1111-1111-111111111111',
    SignatureData: `0x${toHex(signature.subarray(16))}`,
  }))
}

const STATE = {
  scrtm_and_bios: [
    { scrtm: { sha256: digest('version') }, platform_firmware: [{ sha256: digest('volume') }] },
  ],
  ...{ pk: keys(KEY), kek: keys(KEY), db: keys(KEY), dbx: keys(REVOKED), vendor_db: [] },
  mokdig: [{ sha256: digest('keys') }],
  kernels: [
    {
      shim_authcode_sha256: digest('loader'),
      initrd_plain_sha256: digest('initrd'),
      kernel_cmdline: 'linux .*',
    },
  ],
}

/** The boot with some events changed, without some, or with more. */
function boot(change: Change): Uint8Array {
  const all: Readonly<Record<string, WrittenEvent>> = BOOT
  const names = [...new Set([...Object.keys(all), ...Object.keys(change)])]
  const events = names.flatMap((name) => {
    const changed = change[name]
    if (changed === null) return []
    return [{ ...all[name], ...changed } as WrittenEvent]
  })
  return writtenLog(events)
}

/** Checks with findings, if everything in the log was measured. */
function found(
  change: Change,
  { name = 'example' as BootPolicyName, without = '' } = {},
): readonly unknown[] {
  const bytes = boot(change)
  const replayed = replayBank(parseBootLog(bytes), hashes.sha256, 0)
  const values = Array.from(
    { length: 16 },
    (_, pcr) => [pcr, replayed.get(pcr) ?? new Uint8Array(32)] as const,
  )
  const verified = provenPcrs([{ bank: 'sha256', values: new Map(values) }])
  const policy = { name, state: parseReferenceState(JSON.stringify(STATE)) }
  const bootPolicy = bootPolicyChecks.filter(({ id }) => id !== without)
  const checks = { ...defaultBootChecks, bootPolicy }
  const { findings } = evaluateUefi(bytes, verified, 'sha256', { required: true, policy }, checks)
  return findings.map(({ context }) => context['check'])
}

test('the boot from which each case below differs in one place passes', () => {
  expect(found({})).toEqual([])
})

const named = (name: string, value: Uint8Array) => ({ data: variableOf('security', name, value) })
const added = (pcr: number, type: WrittenEvent['type'], data: Uint8Array) => ({
  more: { pcr, type, data },
})

/** A list of one signature under another kind than that of certificates. */
function ofKind(guid: string, signature: Uint8Array): Uint8Array {
  return concat(new Uint8Array(Buffer.from(guid, 'hex')), listsOf([signature]).subarray(16))
}

test.each([
  ['c1c41626-504c-4092-aca9-41f936934328', 32, true],
  ['a5c059a1-94e4-4aa7-87b5-ab155c2bf072', 32, false],
  ['a5c059a1-94e4-4aa7-87b5-ab155c2bf072', 800, true],
  ['3bd2a492-96c0-4079-b420-fcf98ef103ed', 48, true],
  ['11111111-1111-1111-1111-111111111111', 800, false],
  [undefined, 32, false],
])('a signature of kind %s and %i bytes is looked up: %s', (type, size, is) => {
  const entry = { owner: '', data: '00'.repeat(size), ...(type !== undefined && { type }) }
  expect(isLookedUp(entry)).toBe(is)
})

test.each<readonly [what: string, check: string, change: Change]>([
  ['an event of an unknown type', 'events', added(2, 0x8401, bytesOf('x'))],
  ['a separator behind the boot', 'events', added(8, 'EV_SEPARATOR', new Uint8Array(4))],
  [
    'a table of partitions that is cut',
    'data-form',
    added(5, 'EV_EFI_GPT_EVENT', bytesOf('EFI PART')),
  ],
  [
    'a variable whose digest is of something else',
    'data-proven',
    { odd: { pcr: 7, type: CONFIG, data: BOOT.kek.data, measured: bytesOf('x') } },
  ],
  [
    'a separator that reports an error',
    'separators',
    { cap3: { data: Uint8Array.of(1, 0, 0, 0) } },
  ],
  ['no separator', 'separators', { cap6: null }],
  [
    'firmware in a mode for debugging',
    'actions',
    added(7, 'EV_EFI_ACTION', bytesOf('UEFI Debug Mode')),
  ],
  ['another version of the firmware', 'firmware', { version: { data: bytesOf('other') } }],
  ['another firmware', 'firmware', { firmware: { measured: bytesOf('other') } }],
  ['firmware more', 'firmware', { more: { ...BOOT.firmware, measured: bytesOf('more') } }],
  [
    'additional firmware under another type, in front of the listed one',
    'firmware',
    { version: { type: 'EV_POST_CODE' }, firmware: { ...BOOT.version } },
  ],
  [
    'Secure Boot that is off',
    'secure-boot',
    { secureBoot: { data: variableOf('global', 'SecureBoot', Uint8Array.of(0)) } },
  ],
  ['no word of Secure Boot', 'secure-boot', { secureBoot: null }],
  ['an unknown variable', 'variables', added(7, CONFIG, variableOf('global', 'MyKeys', KEY))],
  [
    'Secure Boot under another vendor',
    'variables',
    added(7, CONFIG, variableOf('security', 'SecureBoot', Uint8Array.of(0))),
  ],
  [
    'a database under another vendor',
    'variables',
    added(7, CONFIG, variableOf('shim', 'db', listsOf([OTHER]))),
  ],
  ['another platform key', 'pk', { pk: { data: variableOf('global', 'PK', listsOf([OTHER])) } }],
  ['no platform key', 'pk', { pk: null }],
  [
    'a key exchange key more',
    'kek',
    { kek: { data: variableOf('global', 'KEK', listsOf([KEY, OTHER])) } },
  ],
  ['a key more that may sign', 'db', { db: named('db', listsOf([KEY, OTHER])) }],
  [
    'a key by another owner',
    'db',
    { db: named('db', listsOf([signatureOf(bytesOf('a key'), 0x22)])) },
  ],
  [
    'a key of the vendor',
    'vendor-db',
    added(7, CONFIG, variableOf('shim', 'vendor_db', listsOf([KEY]))),
  ],
  ['a revocation less', 'dbx', { dbx: named('dbx', listsOf([OTHER])) }],
  ['no revocations', 'dbx', { dbx: null }],
  [
    'a revocation of an unknown kind',
    'dbx',
    { dbx: named('dbx', ofKind('11111111111111111111111111111111', REVOKED)) },
  ],
  [
    'an empty dbx, with the full one behind the separator',
    'variables-once',
    { dbx: named('dbx', new Uint8Array()), more: BOOT.dbx },
  ],
  ['db twice', 'variables-once', { more: BOOT.db }],
  ['an image that another key verified', 'authorities', { authority: named('db', OTHER) }],
  [
    'an authority under another vendor',
    'authorities',
    added(7, 'EV_EFI_VARIABLE_AUTHORITY', variableOf('global', 'Shim', KEY)),
  ],
  ['an unknown authority', 'authorities', { authority: named('mine', KEY) }],
  ['other keys of the owner', 'mok', { mok: { measured: bytesOf('other') } }],
  ['a list of the owner under another name', 'mok', { mok: { data: bytesOf('MokListTrusted\0') } }],
  ['another loader', 'kernel', { image: { measured: bytesOf('other') } }],
  ['an image more', 'kernel', { more: { ...BOOT.image, measured: bytesOf('more') } }],
  [
    'an image more, as a driver',
    'kernel',
    { more: { ...BOOT.image, type: 'EV_EFI_BOOT_SERVICES_DRIVER', measured: bytesOf('more') } },
  ],
  [
    'another command line',
    'kernel',
    { line: { data: bytesOf('kernel_cmdline: linux2\0'), measured: bytesOf('linux2') } },
  ],
  [
    'a command line whose digest is of something else',
    'kernel',
    { line: { measured: bytesOf('linux rw') } },
  ],
  [
    'another command line under the label of a command, and the listed one behind',
    'kernel',
    {
      line: { data: bytesOf('grub_cmd: /vm init=/x\0'), measured: bytesOf('/vm init=/x') },
      more: BOOT.line,
    },
  ],
  ['a second separator', 'separators', { more: { pcr: 4, type: 'EV_SEPARATOR', data: ONES } }],
  ['a list of the owner in the place of another', 'mok', { more: { ...BOOT.mok } }],
  ['no list of the owner', 'mok', { mok: null }],
  ['another initrd', 'kernel', { initrd: { measured: bytesOf('other') } }],
])('%s is found by %s alone', (_, check, change) => {
  expect(found(change)).toEqual([`boot-policy.${check}`])
  expect(found(change, { without: `boot-policy.${check}` })).toEqual([])
})

test('of a vendor list, only its entries are keys, and not its header', () => {
  const lists = listsOf([KEY], OTHER)
  expect(found({ db: named('db', lists) })).toEqual(['boot-policy.data-form', 'boot-policy.db'])
})

test('accept-all asks for the replay alone, reject-all lets nothing pass', () => {
  const change = { image: { measured: bytesOf('other') } }
  expect(found(change, { name: 'accept-all' })).toEqual([])
  expect(found({}, { name: 'reject-all' })).toEqual(['boot-policy.reject-all'])
})

test('a log of any bytes is read or refused, in steps that its length bounds', () => {
  const reads = countReads()
  const start = boot({})
  fc.assert(
    fc.property(fc.nat(start.length), fc.uint8Array({ maxLength: 200 }), (at, bytes) => {
      const log = Buffer.concat([start.subarray(0, at), bytes, start.subarray(at)])
      reads.count = 0
      try {
        parseBootLog(new Uint8Array(log))
      } catch {}
      return reads.count <= log.length + 64
    }),
    { numRuns: 300 },
  )
  reads.remove()
})

/** Counts what readers read, until it is removed. */
function countReads(): { count: number; remove(): void } {
  const { take } = Reader.prototype
  const { u8, u16, u32 } = Reader.prototype
  const counter = {
    count: 0,
    remove: () => void Object.assign(Reader.prototype, { take, u8, u16, u32 }),
  }
  const counted = <A extends unknown[], R>(read: (this: Reader, ...quoted: A) => R) =>
    function (this: Reader, ...quoted: A): R {
      counter.count += 1
      return read.apply(this, quoted)
    }
  Object.assign(Reader.prototype, {
    take: counted(take),
    u8: counted(u8),
    u16: counted(u16),
    u32: counted(u32),
  })
  return counter
}

test.each([10, 100, 1000])('a log of %i events takes as many steps as it has events', (events) => {
  const reads = countReads()
  const more = Array.from(
    { length: events },
    () => ({ pcr: 9, type: 'EV_IPL', data: bytesOf('a') }) as const,
  )
  const log = writtenLog(more)
  reads.count = 0
  parseBootLog(log)
  reads.remove()
  expect(reads.count / events).toBeLessThan(9)
})
