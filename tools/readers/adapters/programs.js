// Programs that print what they read, for `npm run readers`: the argument names the program, and each line of the input has bytes.
import { endianness } from 'node:os'
import { each, file, run } from '../../vectors/adapters/parts-of.js'

// Otherwise names outside ASCII depend on the settings of the user.
process.env['LC_ALL'] = 'C.UTF-8'

/** @typedef {Record<string, any>} Fields */

/**
 * The event that tpm2_eventlog prints from its PCR to the next. It prints the data in many forms, so only their size is
 * read, and it prints the same words for all types that it has no name for.
 * @param {string} text
 */
function eventIn(text) {
  /** @param {RegExp} pattern */
  const first = (pattern) => pattern.exec(text)?.[1]
  const digests = text.matchAll(/^ {2}- AlgorithmId: (\S+)\n {4}Digest: "([0-9a-f]*)"/gm)
  return {
    pcr: Number(first(/^(\d+)$/m)),
    type: first(/^ {2}EventType: (EV_\w+)$/m),
    size: Number(first(/^ {2}EventSize: (\d+)$/m)),
    digests: Object.fromEntries(Array.from(digests, ([, name, value]) => [name, value])),
  }
}

/**
 * The events that tpm2_eventlog prints, without the header of a crypto-agile log.
 * @param {string} text
 */
function eventsIn(text) {
  const [events = ''] = text.split(/^pcrs:$/m)
  return events
    .split(/^(?:- | {2})PCRIndex: /m)
    .slice(1)
    .filter((event) => !/^ {2}SpecID:$/m.test(event))
    .map(eventIn)
}

const ENTRY = /^(\d+) ([0-9a-f]{40}) (\S+) (\S+)(?: (.*))?$/s
const REPLAY = /^sha\d+: (?:PCRAgg|TPM PCR)|^(?:Failed to|Template) /

/**
 * The entries that evmctl prints, each followed by its replay. Names may have newlines.
 * @param {string} text
 */
function entriesIn(text) {
  /** @type {string[]} */
  const entries = []
  let isOpen = false
  for (const line of text.split('\n')) {
    /** @type {boolean} */
    const isEntry = !isOpen && ENTRY.test(line)
    /** @type {boolean} */
    const isMore = isOpen && !REPLAY.test(line)
    if (isEntry || isMore) entries.push(isMore ? `${entries.pop()}\n${line}` : line)
    isOpen = isEntry || isMore
  }
  return entries.map(entryIn)
}

/** @param {string} text */
function entryIn(text) {
  const [, pcr, templateHash, template = '', digest, rest = ''] = ENTRY.exec(text) ?? []
  // The last column of these is in hexadecimal digits, and there is none if it is empty.
  const hasColumn = /^ima-(?:sig|sigv2|buf)$/.test(template)
  const name = hasColumn ? rest.replace(/ (?:[0-9a-f]{2})+$/, '') : rest
  // It prints the digest of the oldest template without its algorithm, and newer ones with their type.
  const named = template === 'ima' ? `sha1:${digest}` : digest?.replace(/^(?:ima|verity):/, '')
  return { pcr: Number(pcr), templateHash, template, digest: named, name }
}

/**
 * A number of 64 bits whose bytes are printed as they are in the memory of this machine.
 * @param {string} digits
 */
function numberInMemory(digits) {
  const bytes = Buffer.from(digits, 'hex')
  return `${endianness() === 'LE' ? bytes.readBigUInt64LE() : bytes.readBigUInt64BE()}`
}

/** @param {string} digits */
const hexadecimal = (digits) => Number.parseInt(digits, 16)

/**
 * The fields of TPMS_ATTEST that are printed once, and how their values are read.
 * @type {Record<string, (value: string) => unknown>}
 */
const FIELDS = {
  ...{ magic: hexadecimal, type: hexadecimal, firmwareVersion: numberInMemory },
  ...{ clock: String, resetCount: Number, restartCount: Number, safe: (value) => value === '1' },
  ...{ qualifiedSigner: String, extraData: String, pcrDigest: String },
}

/**
 * The fields of TPMS_ATTEST that tpm2_print prints.
 * @param {string} text
 */
function attestIn(text) {
  /** @type {Fields} */
  const attest = { pcrSelect: [] }
  for (const [, name = '', value = ''] of text.matchAll(/^ *(\w+): *(.*)$/gm)) {
    const read = FIELDS[name]
    if (name === 'hash') attest['pcrSelect'].push({ hash: Number.parseInt(value, 10) })
    else if (name === 'pcrSelect' && value !== '') attest['pcrSelect'].at(-1).pcrSelect = value
    else if (read !== undefined) attest[name] = read(value)
  }
  return attest
}

const ZERO_PCRS = Array.from(
  { length: 24 },
  (_, pcr) => `PCR-${String(pcr).padStart(2, '0')}: ${'00 '.repeat(32).trim()}\n`,
).join('')

/** @type {Record<string, (bytes: Uint8Array) => { words: string[], read: (text: string) => object }>} */
const PROGRAMS = {
  tpm2_eventlog: (bytes) => ({
    words: [file('log', bytes)],
    read: (text) => ({ events: eventsIn(text) }),
  }),
  tpm2_print: (bytes) => ({
    words: ['-t', 'TPMS_ATTEST', file('attest', bytes)],
    read: (text) => ({ attest: attestIn(text) }),
  }),
  // Without a file of PCR values it asks a TPM.
  evmctl: (bytes) => ({
    words: [
      ...['ima_measurement', '-v', '-v', '--pcrs', `sha256,${file('pcrs', ZERO_PCRS)}`],
      file('list', bytes),
    ],
    read: (text) => ({ entries: entriesIn(text) }),
  }),
}

/** evmctl reads the list to its end, and then compares PCR values that cannot match. */
const READ_TO_ITS_END = /^(?:Failed to match|Matched) per TPM bank/m
/** The error that comes before what follows from it; evmctl reads on after a template hash that is not that of the data. */
const REASON =
  /^(?:ERROR: |Unable to |Invalid |Failed to (?!open keyfile|stat|verify template)|.* (?:not supported|is too long)).*$/m

const [, , program = ''] = process.argv

await each(({ bytes }) => {
  const { words, read } = PROGRAMS[program]?.(Buffer.from(bytes, 'base64')) ?? {}
  if (words === undefined || read === undefined) return { error: `no program ${program}` }
  const { status, signal, printed } = run(program, words)
  if (signal !== null) return { crash: signal }
  if (status === 0 || READ_TO_ITS_END.test(printed)) return read(printed)
  return { error: REASON.exec(printed)?.[0] ?? `exit code ${status}: ${printed.slice(-80)}` }
})
