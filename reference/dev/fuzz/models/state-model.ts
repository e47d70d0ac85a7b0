import type { ReferenceState } from '../../../evidence/uefi/policy/reference-state.ts'

type Json = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const KEYS = ['pk', 'kek', 'db', 'dbx', 'vendor_db'] as const
const SIZES: Readonly<Record<string, number>> = {
  ...{ sha1: 20, sha256: 32, sha384: 48, sha512: 64, sm3_256: 32 },
  ...{ sha3_256: 32, sha3_384: 48, sha3_512: 64 },
}
const IMAGES = ['shim_authcode_sha256', 'grub_authcode_sha256', 'kernel_authcode_sha256']
const PLAIN = ['vmlinuz_plain_sha256', 'initrd_plain_sha256']

/** Whether a value is of one form; each form is one line of the shape that upstream gives a reference state. */
type Form = (value: unknown) => boolean

const listOf =
  (form: Form): Form =>
  (value) =>
    Array.isArray(value) && value.every(form)

const hexOf =
  (bytes: number | undefined): Form =>
  (value) =>
    typeof value === 'string' &&
    /^0[xX]([0-9a-fA-F]{2})+$/.test(value) &&
    (bytes === undefined || value.length === 2 + 2 * bytes)

const digests: Form = (value) =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(
    ([bank, text]) => Object.hasOwn(SIZES, bank) && hexOf(SIZES[bank])(text),
  )

function hasJust(value: Json, members: readonly string[]): boolean {
  return (
    Object.keys(value).length === members.length &&
    members.every((one) => Object.hasOwn(value, one))
  )
}

const signature: Form = (value) =>
  isObject(value) &&
  hasJust(value, ['SignatureOwner', 'SignatureData']) &&
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(value['SignatureOwner'])) &&
  hexOf(undefined)(value['SignatureData'])

const firmware: Form = (value) =>
  isObject(value) &&
  hasJust(value, ['scrtm', 'platform_firmware']) &&
  digests(value['scrtm']) &&
  listOf(digests)(value['platform_firmware'])

const kernel: Form = (value) =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(([name, text]) =>
    name === 'kernel_cmdline'
      ? typeof text === 'string'
      : [...IMAGES, ...PLAIN].includes(name) && hexOf(32)(text),
  )

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['has_secureboot', (value) => typeof value === 'boolean'],
  ['scrtm_and_bios', listOf(firmware)],
  ...KEYS.map((name) => [name, listOf(signature)] as const),
  ['mokdig', listOf(digests)],
  ['mokxdig', listOf(digests)],
  ['kernels', listOf(kernel)],
])

/** Why a reference state that was accepted breaks its shape, or says something else than was read. */
export function stateMustNotPass(text: string, state: ReferenceState): string | undefined {
  const document: unknown = JSON.parse(text)
  if (!isObject(document)) return 'the reference state is no object'
  for (const [name, value] of Object.entries(document))
    if (!FORMS.get(name)?.(value))
      return `${FORMS.has(name) ? name : 'a member'} is not what it has to be`
  if (state.hasSecureboot !== (document['has_secureboot'] ?? true))
    return 'Secure Boot was read otherwise'
  const read: readonly (readonly [string, number | undefined])[] = [
    ['scrtm_and_bios', state.firmware?.length],
    ...KEYS.map((name) => [name, state.keys.get(name)?.entries.length] as const),
    ['mokdig', state.mokdig?.length],
    ['mokxdig', state.mokxdig?.length],
    ['kernels', state.kernels?.length],
  ]
  const other = read.find(([name, length]) => length !== lengthOf(document, name))
  return other ? 'another number of entries was read than is stated' : keyProblem(document, state)
}

function lengthOf(document: Json, name: string): number | undefined {
  const value = Object.hasOwn(document, name) ? document[name] : undefined
  return Array.isArray(value) ? value.length : undefined
}

/** Every signature that is stated is known, and one that is not stated is not. */
function keyProblem(document: Json, state: ReferenceState): string | undefined {
  for (const name of KEYS) {
    const stated = Object.hasOwn(document, name) ? (document[name] as readonly Json[]) : []
    const has = (owner: string, data: string) => state.keys.get(name)?.has({ owner, data })
    const all = stated.every((each) => has(...written(each)))
    if (!all) return 'a signature that is stated is not known'
    if (has('00000000-0000-0000-0000-00000000beef', 'beef'))
      return 'a signature that nobody stated is known'
  }
  return undefined
}

function written(signature: Json): readonly [owner: string, data: string] {
  const { SignatureOwner, SignatureData } = signature
  return [String(SignatureOwner).toLowerCase(), String(SignatureData).slice(2).toLowerCase()]
}
