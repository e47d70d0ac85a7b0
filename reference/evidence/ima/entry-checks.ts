import type { Check } from '../check.ts'
import { finding } from '../findings.ts'
import { checkBufferHash, checkMeasuredKey } from './buffer-checks.ts'
import type { ImaEntryCase } from './entry-case.ts'
import { hashMatches, type ImaEntry, isViolation } from './list/entry.ts'
import { IMA_PCR } from './list/replay.ts'
import { checkPolicy, checkSignature } from './policy-checks.ts'

const MAX_EXCERPT = 120

/** The checks of each item of a measurement list, in this order. */
export const imaEntryChecks: readonly Check<ImaEntryCase>[] = [
  {
    id: 'ima.entry',
    why: 'an entry that cannot be read cannot be checked, and must not be skipped',
    run: ({ item }) =>
      item.kind === 'unreadable'
        ? finding('ima.parser.entry', `entry ${item.number}: ${item.why}`, {
            excerpt: excerpt(item.bytes),
          })
        : undefined,
  },
  {
    id: 'ima.entry-pcr',
    why: 'an entry for another PCR is not covered by the PCR that is replayed',
    run: ({ item }) =>
      item.kind === 'entry' && item.pcr !== IMA_PCR
        ? finding('ima.validation.ima_pcr', `entry ${item.number} is for PCR ${item.pcr}`)
        : undefined,
  },
  {
    id: 'ima.entry-hash',
    why: 'a template hash that is not that of the data shows a list that was edited',
    run: ({ item }) =>
      item.kind === 'entry' && !isViolation(item) && !hashMatches(item)
        ? finding(
            'ima.validation.ima_hash',
            `entry ${item.number}: the template hash is ${item.templateHash}, the data hash to ${item.dataHash}`,
          )
        : undefined,
  },
  {
    id: 'ima.entry-violation',
    why: 'a file that changed while it was measured may have been read as anything',
    run: ({ item, ignoreTomtouErrors }) =>
      item.kind === 'entry' && isViolation(item) && !ignoreTomtouErrors
        ? finding('ima.validation.tomtou', `entry ${item.number} is a violation${nameIn(item)}`)
        : undefined,
  },
  {
    id: 'ima.entry-template',
    why: 'an attacker must not choose a template that escapes the policy',
    run: ({ item }) =>
      item.kind === 'entry' && !isViolation(item) && 'invalid' in item.content
        ? finding(
            'ima.validation.no_validator',
            `entry ${item.number} of template ${item.template}: ${item.content.invalid}`,
          )
        : undefined,
  },
  {
    id: 'ima.entry-buffer',
    why: 'an attacker who can extend the PCR may write any buffer with the digest of an allowed one',
    run: checkBufferHash,
  },
  {
    id: 'ima.entry-key',
    why: 'the policy lists the key for file signatures, and this one can verify none',
    run: checkMeasuredKey,
  },
  {
    id: 'ima.entry-policy',
    why: 'the policy names everything that may be loaded on this machine',
    run: checkPolicy,
  },
  {
    id: 'ima.entry-signature',
    why: 'a file that its signature does not fit was changed after it was signed',
    run: checkSignature,
  },
]

function nameIn({ content }: ImaEntry): string {
  return 'invalid' in content ? '' : ` of ${JSON.stringify(content.name)}`
}

function excerpt(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, MAX_EXCERPT)).toString('utf8')
}
