import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { toHex } from '../../bytes/hex.ts'
import { hashById } from '../../tpm/algorithms.ts'
import { type Attest, TPM_GENERATED_VALUE, TPMS_ATTEST } from '../../tpm/attest.ts'
import { attempt, decode } from '../../tpm/codec.ts'
import { type PublicArea, TPM2B_PUBLIC } from '../../tpm/public.ts'
import { recorded, recordedFiles } from '../../tpm/testing/recorded-boot.ts'
import { ask, each, isThere, put, scratch } from '../testing/oracles/ask.ts'
import { distinct, faultsOf } from '../testing/oracles/faults.ts'
import { MESSAGE_CHANGES } from '../testing/oracles/mutations.ts'

const TOOL = 'tpm2_print'

/** The tool's output, as path -> text: `clockInfo.clock` -> `26976`. */
type Printed = Readonly<Record<string, string>>

function flat(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]]
  return Object.entries(value).flatMap(([key, inner]) => flat(inner, path ? `${path}.${key}` : key))
}

/** Without a schema every value stays the text that was printed. */
function readYaml(text: string): Printed {
  return Object.fromEntries(flat(parse(text, { schema: 'failsafe' })))
}

function presentAttest({ attested, clockInfo, ...attest }: Attest): Printed {
  if (attested.kind !== 'quote') return {}
  const selections = attested.value.pcrSelect.flatMap(({ hash, pcrSelect }, index) => {
    const path = `attested.quote.pcrSelect.pcrSelections.${index}`
    return [
      [`${path}.hash`, `${hash} (${hashById(hash)?.name})`],
      [`${path}.sizeofSelect`, String(pcrSelect.length)],
      [`${path}.pcrSelect`, toHex(pcrSelect)],
    ] as const
  })
  return {
    magic: attest.magic.toString(16),
    type: attest.type.toString(16),
    qualifiedSigner: toHex(attest.qualifiedSigner),
    extraData: toHex(attest.extraData),
    'clockInfo.clock': String(clockInfo.clock),
    'clockInfo.resetCount': String(clockInfo.resetCount),
    'clockInfo.restartCount': String(clockInfo.restartCount),
    'clockInfo.safe': clockInfo.safe ? '1' : '0',
    firmwareVersion: attest.firmwareVersion.toString(16).padStart(16, '0'),
    'attested.quote.pcrSelect.count': String(attested.value.pcrSelect.length),
    ...Object.fromEntries(selections),
    'attested.quote.pcrDigest': toHex(attested.value.pcrDigest),
  }
}

function presentPublic({ nameAlg, objectAttributes, parameters, unique }: PublicArea): Printed {
  const { scheme } = parameters.value
  const common = {
    'name-alg.value': hashById(nameAlg)?.name ?? '',
    'attributes.raw': `0x${objectAttributes.toString(16)}`,
    'type.value': parameters.kind,
    'scheme.value': scheme.kind,
    ...(scheme.value && { 'scheme-halg.value': hashById(scheme.value.hashAlg)?.name ?? '' }),
  }
  if (parameters.kind === 'rsa' && unique.kind === 'rsa')
    return { ...common, bits: String(parameters.value.keyBits), rsa: toHex(unique.value) }
  if (parameters.kind !== 'ecc' || unique.kind !== 'ecc') return common
  const { x, y } = unique.value
  const curve = `0x${parameters.value.curveID.toString(16)}`
  return { ...common, 'curve-id.raw': curve, x: toHex(x), y: toHex(y) }
}

/** Fields that we read and the tool prints otherwise. */
function otherwise(ours: Printed, theirs: Printed): readonly string[] {
  return Object.entries(ours)
    .filter(([path, value]) => theirs[path] !== value)
    .map(([path]) => path)
}

async function print(type: string, bytes: Uint8Array, directory: string, name: string) {
  const [path = ''] = put(directory, { [name]: bytes })
  return ask(TOOL, ['-t', type, path])
}

/** Whether we read a quote in these bytes, of banks that exist. */
function isQuote(bytes: Uint8Array): boolean {
  const { value, problem } = attempt(TPMS_ATTEST, bytes)
  if (problem || value.magic !== TPM_GENERATED_VALUE || value.attested.kind !== 'quote')
    return false
  return value.attested.value.pcrSelect.every(({ hash }) => hashById(hash) !== undefined)
}

const QUOTES = recordedFiles('.attest').filter((file) => !/certify|gettime/.test(file))

describe.skipIf(!isThere(TOOL))(TOOL, () => {
  test('reads the fields of every recorded quote as we do, but for its known faults', async () => {
    const directory = scratch()
    const fields = await each(QUOTES, async (file) => {
      const { accepts, text } = await print('TPMS_ATTEST', recorded(file), directory, file)
      if (!accepts) return [`nothing of ${file}`]
      return otherwise(presentAttest(decode(TPMS_ATTEST, recorded(file))), readYaml(text))
    })
    const faults = faultsOf(TOOL).filter((fault) => fault.startsWith('reads'))
    expect(distinct(fields.flat().map((field) => `reads ${field}`))).toEqual(distinct(faults))
  }, 60_000)

  test('reads every recorded key as we do', async () => {
    const directory = scratch()
    const files = recordedFiles('.tpm2b_public')
    const fields = await each(files, async (file) => {
      const { text } = await print('TPM2B_PUBLIC', recorded(file), directory, file)
      const ours = presentPublic(decode(TPM2B_PUBLIC, recorded(file)).contents)
      return otherwise(ours, readYaml(text)).map((field) => `${file} ${field}`)
    })
    expect(files.length).toBeGreaterThan(4)
    expect(fields.flat()).toEqual([])
  }, 60_000)

  test('refuses the changed quotes that we refuse, but for its known faults', async () => {
    const directory = scratch()
    const found = await each(MESSAGE_CHANGES, async ({ name, change }, index) => {
      const bytes = change(recorded('rsassa_sha256_10.attest'))
      const { accepts } = await print('TPMS_ATTEST', bytes, directory, `${index}`)
      const passes = isQuote(bytes)
      return passes === accepts ? [] : [`${accepts ? 'accepts' : 'refuses'} ${name}`]
    })
    const faults = faultsOf(TOOL).filter((fault) => !fault.startsWith('reads'))
    expect(distinct(found.flat())).toEqual(distinct(faults))
  }, 60_000)
})
