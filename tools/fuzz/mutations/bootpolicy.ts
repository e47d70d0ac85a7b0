import { at, listOf } from '../../../conformance/attempt/reply.ts'
import { OWNER } from '../../../simulator/uefi/profiles/secure-boot-keys.ts'
import { oneOf } from '../mutate-bytes.ts'
import type { Mutation } from '../stages.ts'
import {
  foreign,
  kernelWith,
  type State,
  signaturesWith,
  state,
  text,
  without,
} from './edit-state.ts'

const VALUES: readonly unknown[] = [
  ...[null, 7, -1, 1e308, '', 'x', true, false, [], {}],
  ...[[null], [7], [[]], [{}], { x: 7 }, [{ x: [] }]],
]
const NO_JSON = [
  '{',
  '[]',
  'null',
  '7',
  '"x"',
  '{}x',
  "{'a':1}",
  '\u0000',
  '[{"has_secureboot":true}]',
]
/** Members of a reference state that list signatures. */
const KEYS = ['pk', 'kek', 'db'] as const
const LISTS = [...KEYS, 'dbx', 'mokdig', 'mokxdig', 'scrtm_and_bios', 'kernels'] as const
/** Texts that stand where a digest or a signature belongs. */
const ODD_HEX = [
  '',
  '0x',
  '0',
  '0xzz',
  '0x0',
  ' 0x00',
  '0X00',
  `0x${'0'.repeat(63)}`,
  `0x${'f'.repeat(100_000)}`,
]
const ODD_OWNERS = ['', 'x', '{77fa9abd-0359-4d32-bd60-28f4e78f784b}', '77fa9abd', '0'.repeat(36)]
/** Command lines as regular expressions: of a bad form, of a bad conscience, and far too long. */
const EXPRESSIONS: readonly unknown[] = [
  ...['(', '[', '*', '\\', '(?P<n>x)', '(?=x)', '(?<!x)y', '\\1(x)', 'x{1,99999}', '$^', ''],
  ...['(a+)+$', '(.*a){30}b', '(\\(hd0|.)*$!', '(.*)*(.*)*(.*)*x', '((.*)(.*)){20}never'],
  ...['x'.repeat(1_000_000), '('.repeat(50_000), `${'(?:'.repeat(5000)}x${')'.repeat(5000)}`],
  ...[7, null, [], {}, ['x']],
]
const KERNEL_MEMBERS = [
  ...['shim_authcode_sha256', 'grub_authcode_sha256', 'kernel_authcode_sha256'],
  ...['initrd_plain_sha256', 'vmlinuz_plain_sha256', 'kernel_cmdline'],
]

const DOCUMENTS: readonly Mutation[] = [
  text(
    {
      id: 'state.no-json',
      what: 'is under a boot policy that is no JSON object',
      breaks: 'policy-form',
    },
    (_, random) => oneOf(NO_JSON, random),
  ),
  text(
    { id: 'state.cut', what: 'is under a boot policy that is cut off', breaks: 'policy-form' },
    ({ mb_policy }, random) => {
      const whole = String(mb_policy)
      return whole.slice(0, 1 + random.below(Math.max(1, whole.length - 1)))
    },
  ),
  text(
    {
      id: 'state.deep',
      what: 'is under a boot policy of ten thousand brackets',
      breaks: 'policy-form',
    },
    () => '['.repeat(10_000),
  ),
  text({ id: 'state.type', what: 'is under a boot policy that is no text' }, (_, random) =>
    oneOf([7, null, [], {}, true], random),
  ),
  text({ id: 'state.empty', what: 'is under an empty boot policy' }, (_, random) =>
    oneOf(['', '{}', ' '], random),
  ),
  {
    id: 'log.absent',
    stage: 'members',
    what: 'comes without a firmware log',
    breaks: 'boot-missing',
    change: ({ mb_list: _, ...rest }) => rest,
  },
  state({ id: 'state.extra', what: 'is under a boot policy with further members' }, (one) => ({
    ...one,
    ...{ 'x y': 7, constructor: { x: 1 }, toString: [], vendor_db: [], keys: {} },
  })),
  text(
    { id: 'state.proto', what: 'is under a boot policy with a member called __proto__' },
    (all) =>
      String(all.mb_policy).replace('{', '{"__proto__":{"has_secureboot":false,"kernels":[]},'),
  ),
  text({ id: 'state.twice', what: 'is under a boot policy that names a member twice' }, (all) =>
    String(all.mb_policy).replace('{', '{"has_secureboot":false,"kernels":[],'),
  ),
]

const MEMBERS: readonly Mutation[] = [
  state(
    { id: 'member.absent', what: 'is under a boot policy that lacks a member' },
    (one, random) => without(one, oneOf(['has_secureboot', ...LISTS], random)),
  ),
  state(
    { id: 'member.type', what: 'is under a boot policy with a member of another type' },
    (one, random) => ({
      ...one,
      [oneOf(['has_secureboot', ...LISTS], random)]: oneOf(VALUES, random),
    }),
  ),
  state(
    { id: 'member.item', what: 'is under a boot policy with an odd thing in a list' },
    (one, random) => {
      const name = oneOf(LISTS, random)
      return { ...one, [name]: [...(listOf(one[name]) ?? []), oneOf(VALUES, random)] }
    },
  ),
  state(
    { id: 'member.many', what: 'is under a boot policy with a very long list' },
    (one, random) => {
      const name = oneOf(LISTS, random)
      const [first = {}] = listOf(one[name]) ?? []
      return { ...one, [name]: Array.from({ length: 2000 }, () => first) }
    },
  ),
  state(
    { id: 'secure-boot.off', what: 'is under a boot policy that wants no Secure Boot' },
    (one) => ({
      ...one,
      has_secureboot: false,
    }),
  ),
]

/** A kernel whose command line is another text, spelled as an expression that matches nothing else. */
function withLine(kernel: State, change: (line: string) => string): State {
  const line = String(kernel.kernel_cmdline).replaceAll(/\\(.)/g, '$1')
  return { ...kernel, kernel_cmdline: change(line).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&') }
}

const CONTENTS: readonly Mutation[] = [
  state(
    {
      id: 'keys.foreign',
      what: 'has a key that its boot policy does not name',
      breaks: 'boot-key',
    },
    (one, random) =>
      signaturesWith(oneOf(KEYS, random), (each) => ({ ...each, SignatureData: foreign(random) }))(
        one,
      ),
  ),
  state(
    { id: 'keys.none', what: 'has keys under a boot policy that names none', breaks: 'boot-key' },
    (one, random) => ({ ...one, [oneOf(KEYS, random)]: [] }),
  ),
  state({ id: 'keys.hex', what: 'is under a boot policy with an odd signature' }, (one, random) =>
    signaturesWith(oneOf([...KEYS, 'dbx'], random), (each) => ({
      ...each,
      SignatureData: oneOf([...ODD_HEX, ...VALUES], random),
    }))(one),
  ),
  state(
    { id: 'keys.owner', what: 'is under a boot policy with an odd owner of a key' },
    (one, random) =>
      signaturesWith(oneOf([...KEYS, 'dbx'], random), (each) => ({
        ...each,
        SignatureOwner: oneOf([...ODD_OWNERS, ...VALUES], random),
      }))(one),
  ),
  state(
    { id: 'keys.upper-case', what: 'is under a boot policy with a signature in capitals' },
    (one, random) =>
      signaturesWith(oneOf(KEYS, random), (each) => ({
        ...each,
        SignatureData: `0x${String(at(each, 'SignatureData')).slice(2).toUpperCase()}`,
      }))(one),
  ),
  state(
    {
      id: 'firmware.foreign',
      what: 'has firmware that its boot policy does not name',
      breaks: 'boot-firmware',
    },
    (one, random) => ({
      ...one,
      scrtm_and_bios: [
        { scrtm: { sha256: foreign(random) }, platform_firmware: [{ sha256: foreign(random) }] },
      ],
    }),
  ),
  state(
    { id: 'firmware.odd', what: 'is under a boot policy with odd digests of firmware' },
    (one, random) => ({
      ...one,
      scrtm_and_bios: [
        {
          scrtm: {
            sha256: oneOf([...ODD_HEX, ...VALUES], random),
            [oneOf(['md5', 'SHA256', '__proto__'], random)]: '0x00',
          },
          platform_firmware: oneOf(VALUES, random),
        },
      ],
    }),
  ),
  state(
    {
      id: 'revoked.further',
      what: 'has a firmware that revokes less than its boot policy',
      breaks: 'boot-revoked',
    },
    (one, random) => ({
      ...one,
      dbx: [...(listOf(one.dbx) ?? []), { SignatureOwner: OWNER, SignatureData: foreign(random) }],
    }),
  ),
  state(
    {
      id: 'mok.foreign',
      what: 'has a list of shim that its boot policy does not name',
      breaks: 'boot-mok',
    },
    (one, random) => ({
      ...one,
      [oneOf(['mokdig', 'mokxdig'], random)]: [{ sha256: foreign(random) }],
    }),
  ),
  state(
    {
      id: 'kernel.foreign',
      what: 'starts an image that its boot policy does not name',
      breaks: 'boot-image',
    },
    (one, random) => {
      const name = oneOf(['shim', 'grub', 'kernel'], random)
      return kernelWith((kernel) => ({ ...kernel, [`${name}_authcode_sha256`]: foreign(random) }))(
        one,
      )
    },
  ),
  state(
    { id: 'kernel.odd', what: 'is under a boot policy with an odd digest of a kernel' },
    (one, random) =>
      kernelWith((kernel) => ({
        ...kernel,
        [oneOf(KERNEL_MEMBERS, random)]: oneOf([...ODD_HEX, ...VALUES], random),
      }))(one),
  ),
  state(
    { id: 'kernel.lacks', what: 'is under a boot policy that says less of a kernel' },
    (one, random) => kernelWith((kernel) => without(kernel, oneOf(KERNEL_MEMBERS, random)))(one),
  ),
  state(
    {
      id: 'command.shorter',
      what: 'has a command line of which its boot policy names the beginning',
      breaks: 'boot-command',
    },
    (one, random) =>
      kernelWith((kernel) => withLine(kernel, (line) => line.slice(0, -oneOf([1, 4, 12], random))))(
        one,
      ),
  ),
  state(
    {
      id: 'command.later',
      what: 'has a command line of which its boot policy names the end',
      breaks: 'boot-command',
    },
    (one, random) =>
      kernelWith((kernel) => withLine(kernel, (line) => line.slice(oneOf([1, 4, 12], random))))(
        one,
      ),
  ),
  state(
    {
      id: 'command.other',
      what: 'has another command line than its boot policy names',
      breaks: 'boot-command',
    },
    (one, random) =>
      kernelWith((kernel) => withLine(kernel, (line) => `${line} ${random.below(1000)}`))(one),
  ),
  state(
    {
      id: 'initrd.foreign',
      what: 'has an initrd that its boot policy does not name',
      breaks: 'boot-file',
    },
    (one, random) =>
      kernelWith((kernel) => ({ ...kernel, initrd_plain_sha256: foreign(random) }))(one),
  ),
  state(
    {
      id: 'mok.swapped',
      what: 'has lists of shim that its boot policy names the other way round',
      breaks: 'boot-mok',
    },
    (one) => ({ ...one, mokdig: one.mokxdig, mokxdig: one.mokdig }),
  ),
  state(
    { id: 'command.expression', what: 'is under a boot policy with an odd command line' },
    (one, random) =>
      kernelWith((kernel) => ({ ...kernel, kernel_cmdline: oneOf(EXPRESSIONS, random) }))(one),
  ),
]

/** Mutations of the measured boot reference state; the boot that it judges stays as it was. */
export const BOOTPOLICY_MUTATIONS: readonly Mutation[] = [...DOCUMENTS, ...MEMBERS, ...CONTENTS]
