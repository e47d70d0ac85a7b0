import { concat } from '../../../bytes/writer.ts'
import { everyTemplate, extended, type ImaRun, LIST_POLICIES } from '../ima-lists.ts'
import {
  dataOf,
  fieldsOf,
  hashBytes,
  type ModelEntry,
  readAscii,
  readBinary,
  writeAscii,
  writeBinary,
} from '../models/ima-entries.ts'
import type { Random } from '../random.ts'
import { mutateBytes, spliceBytes, swellBytes } from './bytes.ts'

/** One to three changes of a list, of its entries or of what it has to replay to. */
export function mutateImaRun(run: ImaRun, other: ImaRun, random: Random): ImaRun {
  let changed = run
  for (let left = random.pick([1, 1, 2, 3]); left > 0; left--)
    changed = step(changed, other, random)
  return random.once(4096) ? { ...changed, list: swellBytes(changed.list, random) } : changed
}

function step(run: ImaRun, other: ImaRun, random: Random): ImaRun {
  const way = random.below(16)
  if (way < 8) return changeEntries(run, other, random)
  if (way < 11) return { ...run, list: mutateBytes(run.list, random) }
  if (way < 12) return { ...run, list: spliceBytes(run.list, other.list, random) }
  return way < 14 ? changeQuoted(run, other, random) : judgeOtherwise(run, other, random)
}

function entriesOf({ format, list, policy }: ImaRun): readonly ModelEntry[] {
  const hash = LIST_POLICIES[policy]?.hash ?? 'sha1'
  const read =
    format === 'ascii' ? readAscii(list, hash) : readBinary(list, hash === 'sha1' ? 20 : 32)
  return read ?? []
}

/** A change of the entries; the values that were quoted follow them more often than not. */
function changeEntries(run: ImaRun, other: ImaRun, random: Random): ImaRun {
  const before = entriesOf(run)
  if (before.length === 0) return { ...run, list: mutateBytes(run.list, random) }
  const after = changeList(before, entriesOf(other), run, random)
  const format = random.once(12) ? other.format : run.format
  const written = format === 'ascii' ? writeAscii(after) : writeBinary(after)
  const list = random.once(12) ? withLie(written, random) : written
  const changed = { ...run, format: random.once(40) ? run.format : format, list }
  return random.once(4) ? changed : requoted(changed, after, random)
}

function changeList(
  entries: readonly ModelEntry[],
  others: readonly ModelEntry[],
  run: ImaRun,
  random: Random,
): readonly ModelEntry[] {
  const at = random.below(entries.length)
  const chosen = entries[at]
  const donor = random.pick(others.length > 0 ? others : everyTemplate())
  if (!chosen) return entries
  switch (random.below(10)) {
    case 0:
      return entries.toSpliced(at, 1)
    case 1:
      return entries.toSpliced(at, 0, random.once(2) ? chosen : donor)
    case 2:
      return entries.with(at, donor).with(random.below(entries.length), chosen)
    case 3:
      return entries.with(at, {
        ...chosen,
        pcr: random.pick([0, 1, 9, 10, 11, 23, 99, 266, 2 ** 32 - 1]),
      })
    case 4:
      return entries.with(at, { ...chosen, hash: otherHash(chosen.hash, random) })
    default: {
      const changed = changeFields(chosen, donor, random)
      return entries.with(at, random.once(4) ? changed : rehashed(changed, run))
    }
  }
}

function otherHash(hash: Uint8Array, random: Random): Uint8Array {
  switch (random.below(4)) {
    case 0:
      return new Uint8Array(hash.length)
    case 1:
      return new Uint8Array(hash.length).fill(0xff)
    case 2:
      return random.bytes(random.pick([20, 32]))
    default:
      return mutateBytes(hash, random)
  }
}

const NAMES = [
  '/usr/bin/bash',
  '/usr/bin/with_space',
  '/tmp/',
  '/tmp/../usr/bin/evil',
  '/TMP/x',
  'boot_aggregate',
  '',
  ' ',
  '\n',
  '\t',
  ' /usr/bin/bash',
  '/usr/bin/bash\0',
  '/usr/bin/bash\0/x',
  '\u{fffd}',
  '/etc/new\n',
  '.ima',
  '.builtin',
  'kernel_version',
  '__proto__',
  'x'.repeat(256),
  'x'.repeat(257),
  '/a\n10 0000000000000000000000000000000000000000 ima-ng sha1:00 /b',
  '/a\r',
  '"\\\u001b[31m',
  '\u2028',
]

const LABELS = [
  'sha1:',
  'sha256:',
  'sha512:',
  'md5:',
  'SHA256:',
  '',
  ':',
  'sha256',
  'ima:sha256:',
  'verity:sha1:',
  'sm3:',
  'sha3-256:',
  'a:b:',
]

const TEMPLATES = [
  'ima',
  'ima-ng',
  'ima-sig',
  'ima-buf',
  'ima-ngv2',
  'ima-sigv2',
  'ima-modsig',
  'evm-sig',
  'IMA-NG',
  'ima-ngv3',
  'd-ng|n-ng',
  'd|n',
  'n|d',
  'd-ng|n-ng|n-ng',
  'd-ng|n-ng|sig|buf',
  'd-ng|n|xattrnames',
  '|',
  'd-ng|',
  'd-ng|n-ng|iuid',
  '__proto__',
  'ima-ng\0',
]

function changeFields(entry: ModelEntry, donor: ModelEntry, random: Random): ModelEntry {
  const { fields, template } = entry
  const at = random.below(fields.length || 1)
  const field = fields[at] ?? new Uint8Array()
  const put = (value: Uint8Array): ModelEntry => ({ ...entry, fields: fields.with(at, value) })
  if (fields.length === 0 || random.once(10)) return retemplated(entry, random)
  switch (random.below(7)) {
    case 0:
      return put(mutateBytes(field, random))
    case 1:
      return put(donor.fields[at] ?? field)
    case 2:
      return { ...entry, fields: random.once(2) ? fields.toSpliced(at, 1) : [...fields, field] }
    case 3:
    case 4:
      return withField(entry, ['n', 'n-ng'], nameField(template, random))
    case 5:
      return withField(entry, ['d-ng', 'd-ngv2', 'd-modsig'], digestField(field, random))
    default:
      return put(random.bytes(random.below(40)))
  }
}

function retemplated(entry: ModelEntry, random: Random): ModelEntry {
  return { ...entry, template: random.pick(TEMPLATES) }
}

function withField(entry: ModelEntry, kinds: readonly string[], value: Uint8Array): ModelEntry {
  const at = (fieldsOf(entry.template) ?? []).findIndex((kind) => kinds.includes(kind))
  if (at < 0 || at >= entry.fields.length) return entry
  return { ...entry, fields: entry.fields.with(at, value) }
}

function nameField(template: string, random: Random): Uint8Array {
  const name = random.pick(NAMES)
  return new Uint8Array(Buffer.from(template === 'ima' ? name : `${name}\0`))
}

function digestField(field: Uint8Array, random: Random): Uint8Array {
  const nul = field.indexOf(0)
  const digest = random.once(3)
    ? random.bytes(random.pick([0, 19, 20, 32, 64]))
    : field.subarray(nul + 1)
  return concat(Buffer.from(`${random.pick(LABELS)}${random.once(8) ? '' : '\0'}`), digest)
}

function rehashed(entry: ModelEntry, { policy }: ImaRun): ModelEntry {
  return { ...entry, hash: hashBytes(LIST_POLICIES[policy]?.hash ?? 'sha1', dataOf(entry)) }
}

/** A length somewhere that is not that of what follows. */
function withLie(list: Uint8Array, random: Random): Uint8Array {
  if (list.length < 4) return list
  const copy = new Uint8Array(list)
  const view = new DataView(copy.buffer, copy.byteOffset, copy.byteLength)
  const at = random.below(copy.length - 3)
  const value = view.getUint32(at, true) + random.pick([1, -1, 4, 0xffff_0000])
  view.setUint32(at, value >>> 0, random.below(8) > 0)
  return copy
}

const BANKS: readonly (readonly string[])[] = [
  ['sha1'],
  ['sha256'],
  ['sha384'],
  ['sha512'],
  ['sha1', 'sha256'],
  ['sha256', 'sha512'],
  [],
]

/** Quoted values that follow from the list, up to its end or to some entry. */
function requoted(run: ImaRun, entries: readonly ModelEntry[], random: Random): ImaRun {
  const kept = Object.keys(run.quoted)
  const banks = random.once(16) ? random.pick(BANKS) : kept
  const upTo = random.once(4) ? random.below(entries.length + 1) : entries.length
  const padded = random.once(2)
  const start = run.offset === 0 ? {} : run.carried
  return { ...run, quoted: extended(entries.slice(0, upTo), banks, padded, start) }
}

function changeQuoted(run: ImaRun, other: ImaRun, random: Random): ImaRun {
  const entries = entriesOf(run)
  switch (random.below(6)) {
    case 0:
      return { ...run, quoted: other.quoted }
    case 1:
      return {
        ...run,
        quoted: mapped(run.quoted, (value) => sameLength(mutateBytes(value, random), value)),
      }
    case 2:
      return {
        ...run,
        offset: random.below(4),
        carried: random.once(2) ? other.carried : run.quoted,
      }
    case 3: {
      const cut = random.below(entries.length + 1)
      const carried = extended(entries.slice(0, cut), Object.keys(run.quoted))
      const rest = entries.slice(cut)
      const list = run.format === 'ascii' ? writeAscii(rest) : writeBinary(rest)
      return { ...run, offset: cut, carried, list }
    }
    default:
      return requoted(run, entries, random)
  }
}

function mapped(
  values: Readonly<Record<string, Uint8Array>>,
  change: (value: Uint8Array) => Uint8Array,
): Readonly<Record<string, Uint8Array>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}

/** A quoted value has the size of its bank, as the PCR data was read before. */
function sameLength(bytes: Uint8Array, like: Uint8Array): Uint8Array {
  return concat(bytes, like).subarray(0, like.length)
}

function judgeOtherwise(run: ImaRun, other: ImaRun, random: Random): ImaRun {
  switch (random.below(4)) {
    case 0:
      return { ...run, policy: random.below(LIST_POLICIES.length + 1) - 1 }
    case 1:
      return { ...run, ignoreViolations: !run.ignoreViolations }
    case 2:
      return { ...run, format: run.format === 'ascii' ? 'binary' : 'ascii' }
    default:
      return { ...run, list: other.list }
  }
}
