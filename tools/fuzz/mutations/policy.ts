import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import type { RuntimePolicy } from '../../../simulator/platform/boot-facts.ts'
import { toHex } from '../../../simulator/tpm/write.ts'
import { oneOf } from '../mutate-bytes.ts'
import type { Members, Mutation, MutationAt } from '../stages.ts'
import { EXCLUDE_MUTATIONS } from './judged-files.ts'
import { PCR_POLICY_MUTATIONS } from './pcr-policy.ts'

type Digests = RuntimePolicy['digests']
type Head = Pick<MutationAt<'machine'>, 'id' | 'what' | 'breaks'>

function digests(
  head: Head,
  change: (digests: Digests, random: SeededRandom) => unknown,
): Mutation {
  return {
    ...head,
    stage: 'machine',
    change: (machine, random) => {
      const policy = { ...machine.policy, digests: change(machine.policy.digests, random) }
      return { ...machine, policy: policy as RuntimePolicy }
    },
  }
}

/** Members of a runtime policy replaced by anything. */
function policy(
  head: Head,
  change: (random: SeededRandom) => Readonly<Record<string, unknown>>,
): Mutation {
  return {
    ...head,
    stage: 'machine',
    change: (machine, random) => ({
      ...machine,
      policy: { ...machine.policy, ...change(random) } as RuntimePolicy,
    }),
  }
}

function members(
  head: Head,
  change: (members: Members, random: SeededRandom) => Members,
): Mutation {
  return { ...head, stage: 'members', change }
}

/** A file of the baseline list; `boot_aggregate` is judged by rules of its own. */
function someFile(all: Digests, random: SeededRandom): string {
  return oneOf(
    Object.keys(all).filter((name) => name.startsWith('/')),
    random,
  )
}

const VALUES: readonly unknown[] = [null, 7, '', 'x', [], {}, true, [null], [7], [[]], { x: 7 }]
const EXCLUDES: readonly unknown[] = [
  ['('],
  ['(a+)+$'],
  ['(?=x)'],
  ['(?<!x)y'],
  ['\\1(x)'],
  ['[', 'x'],
  ['x{1,99999}'],
  ['/usr/bin/never'],
  [''],
  [7],
  'x',
  { x: 'y' },
]
const NO_JSON = [
  '',
  '{',
  '[]',
  'null',
  '7',
  '"x"',
  '{"a":1}x',
  '{"digests":',
  '{}{}',
  "{'a':1}",
  '\u0000',
]
const ODD_PCRS = ['010', '0x0a', ' 10', '10 ', '1e1', '24', '-1', '__proto__', '']

/** Mutations of runtime policy and tpm_policy. */
export const POLICY_MUTATIONS: readonly Mutation[] = [
  ...PCR_POLICY_MUTATIONS,
  ...EXCLUDE_MUTATIONS,
  digests(
    {
      id: 'policy.without',
      what: 'ran a file that the policy does not name',
      breaks: 'policy-file',
    },
    (all, random) => {
      const { [someFile(all, random)]: _, ...rest } = all
      return rest
    },
  ),
  digests(
    {
      id: 'policy.digest',
      what: 'ran a file of which the policy has another digest',
      breaks: 'policy-file',
    },
    (all, random) => ({
      ...all,
      [someFile(all, random)]: [toHex(random.bytes(32))],
    }),
  ),
  digests(
    {
      id: 'policy.digest-prefix',
      what: 'ran a file of which the policy has a part of the digest',
      breaks: 'policy-file',
    },
    (all, random) => {
      const file = someFile(all, random)
      return { ...all, [file]: (all[file] ?? []).map((digest) => digest.slice(0, -2)) }
    },
  ),
  digests(
    {
      id: 'policy.digest-type',
      what: 'ran a file of which the policy has no list of digests',
      breaks: 'policy-file',
    },
    (all, random) => ({
      ...all,
      [someFile(all, random)]: oneOf(VALUES, random),
    }),
  ),
  digests(
    {
      id: 'policy.no-digests',
      what: 'is under a policy that names no file',
      breaks: 'policy-file',
    },
    () => ({}),
  ),
  digests(
    {
      id: 'policy.digests-type',
      what: 'is under a policy whose digests are no object',
      breaks: 'policy-file',
    },
    (_, random) => oneOf(VALUES, random),
  ),
  digests({ id: 'policy.upper-case', what: 'is under a policy with digests in capitals' }, (all) =>
    Object.fromEntries(
      Object.entries(all).map(([name, list]) => [name, list.map((one) => one.toUpperCase())]),
    ),
  ),
  digests(
    { id: 'policy.many', what: 'is under a policy of a thousand files more' },
    (all, random) => ({
      ...all,
      ...Object.fromEntries(
        Array.from({ length: 1000 }, (_, at) => [`/opt/${at}`, [toHex(random.bytes(32))]]),
      ),
    }),
  ),
  digests(
    { id: 'policy.magic-names', what: 'is under a policy with names that are not harmless' },
    (all) => ({
      ...all,
      constructor: ['00'],
      toString: ['00'],
      'has OwnProperty': [],
    }),
  ),
  policy({ id: 'policy.excludes', what: 'is under a policy with odd excludes' }, (random) => ({
    excludes: oneOf(EXCLUDES, random),
  })),
  policy({ id: 'policy.keyrings', what: 'is under a policy with odd keyrings' }, (random) => ({
    keyrings: oneOf(VALUES, random),
  })),
  policy({ id: 'policy.ima', what: 'is under a policy with an odd ima section' }, (random) => ({
    ima: oneOf(
      [...VALUES, { ignored_keyrings: 7 }, { log_hash_alg: 'md5' }, { dm_policy: [] }],
      random,
    ),
  })),
  policy({ id: 'policy.meta', what: 'is under a policy of another version' }, (random) => ({
    meta: oneOf([...VALUES, { version: 0 }, { version: 99 }, { version: '1' }], random),
  })),
  policy({ id: 'policy.keys', what: 'is under a policy with odd verification keys' }, (random) => ({
    'verification-keys': oneOf([...VALUES, '-----BEGIN PUBLIC KEY-----', 'e30='], random),
  })),
  policy({ id: 'policy.release', what: 'is under a policy with an odd release' }, (random) => ({
    release: oneOf(VALUES, random),
    timestamp: oneOf(VALUES, random),
  })),
  members(
    {
      id: 'policy.no-json',
      what: 'is under a policy that is no JSON object',
      breaks: 'policy-form',
    },
    (all, random) => ({
      ...all,
      runtime_policy: oneOf(NO_JSON.slice(1), random),
    }),
  ),
  members(
    {
      id: 'policy.deep',
      what: 'is under a policy of ten thousand brackets',
      breaks: 'policy-form',
    },
    (all) => ({
      ...all,
      runtime_policy: '['.repeat(10_000),
    }),
  ),
  members({ id: 'policy.type', what: 'is under a policy that is no text' }, (all, random) => ({
    ...all,
    runtime_policy: oneOf([7, null, [], {}, true], random),
  })),
  members(
    { id: 'policy.absent', what: 'is under no policy' },
    ({ runtime_policy: _, ...rest }) => rest,
  ),
  members(
    {
      id: 'pcr-policy.other',
      what: 'is under a tpm_policy that wants another value',
      breaks: 'policy-pcr',
    },
    (all, random) => ({
      ...all,
      tpm_policy: JSON.stringify({ [oneOf([0, 7, 10], random)]: [toHex(random.bytes(32))] }),
    }),
  ),
  members(
    {
      id: 'pcr-policy.unquoted',
      what: 'is under a tpm_policy over a PCR that is not quoted',
      breaks: 'policy-pcr',
    },
    (all) => ({
      ...all,
      tpm_policy: JSON.stringify({ 23: ['00'.repeat(32)] }),
    }),
  ),
  members(
    { id: 'pcr-policy.odd', what: 'is under a tpm_policy with an odd PCR' },
    (all, random) => ({
      ...all,
      tpm_policy: JSON.stringify({ [oneOf(ODD_PCRS, random)]: oneOf([...VALUES, ['00']], random) }),
    }),
  ),
  members(
    { id: 'pcr-policy.mask', what: 'is under a tpm_policy with an odd mask' },
    (all, random) => ({
      ...all,
      tpm_policy: JSON.stringify({
        mask: oneOf(['0x400', '1024', '-1', 'x', 7, null, '0x1000000', ''], random),
      }),
    }),
  ),
  members(
    {
      id: 'pcr-policy.no-json',
      what: 'is under a tpm_policy that is no JSON object',
      breaks: 'policy-form',
    },
    (all, random) => ({
      ...all,
      tpm_policy: oneOf(NO_JSON.slice(1), random),
    }),
  ),
]
