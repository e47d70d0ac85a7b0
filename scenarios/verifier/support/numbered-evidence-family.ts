import { results } from '../../../conformance/attempt/reply.ts'
import {
  type ThirdPartyEvidence,
  thirdPartyEvidence,
} from '../../../conformance/client/agents/third-party-evidence.ts'
import { base64, flipBit, unbase64 } from '../../../conformance/client/bytes.ts'
import type { Scenario } from '../../../conformance/scenario.ts'
import { validityIn } from '../../../conformance/steps/evidence-validity.ts'

const NONCE = 'Kq3n8VbT0xWz5LmR2pYd'
const OTHER_NONCE = 'AnotherNonce12345678'
/** Parts of a quote text; the first is the signed structure. */
const [SIGNATURE, VALUES] = [1, 2]
/** In no policy, so that only the digest in the quote covers its value. */
const OTHER_PCR = 23
/** Offset of its value, the second one: after the selections, two counts, the first value and its size. */
const SECOND_DIGEST = 4 + 16 * 8 + 4 + 4 + 2 + 64 + 2

const STATED = { stated: NONCE, pcrs: [OTHER_PCR] }

/** One defect of a quote, and the requirement that it is not valid. */
interface Defect {
  readonly id: string
  readonly title: string
  readonly requirement: string
  readonly quoted?: string
  /** The part of the quote with a flipped bit, and the bit. */
  readonly flipped?: readonly [part: number, bit: number]
}

const DEFECTS: readonly Defect[] = [
  {
    id: 'another-nonce',
    title: 'The verifier reports a quote over another nonce as not valid',
    requirement: 'VER-EVIDENCE-QUOTE-OVER-NONCE',
    quoted: OTHER_NONCE,
  },
  {
    id: 'signature-flipped',
    title: 'The verifier reports a quote with a flipped bit in its signature as not valid',
    requirement: 'VER-EVIDENCE-SIGNATURE',
    flipped: [SIGNATURE, -1],
  },
  {
    id: 'values-altered',
    title: 'The verifier reports PCR values other than the quoted ones as not valid',
    requirement: 'VER-EVIDENCE-PCR-DIGEST',
    flipped: [VALUES, 8 * SECOND_DIGEST],
  },
]

/** Files of a policy that makes a body of some 200 KB, which an implementation may read in another way. */
const MANY_FILES = 2000

function withManyFiles(evidence: ThirdPartyEvidence): ThirdPartyEvidence {
  const { digests, ...policy } = JSON.parse(String(evidence['runtime_policy']))
  const names = Array.from({ length: MANY_FILES }, (_, at) => [`/opt/${at}`, ['ab'.repeat(32)]])
  const runtime_policy = { ...policy, digests: { ...digests, ...Object.fromEntries(names) } }
  return { ...evidence, runtime_policy: JSON.stringify(runtime_policy) }
}

/** Returns the passing scenario of 2.4, and one for each defect of the quote. */
export function numberedEvidenceFamily(place: string): readonly Scenario[] {
  const common = { role: 'verifier', since: '2.4', until: '2.4' } as const
  const sound: Scenario = {
    ...common,
    id: `${place}.valid`,
    title: 'The verifier reports evidence of a third party as valid with 1',
    requirements: ['VER-EVIDENCE-VALID', 'VER-EVIDENCE-VALID-ONE'],
    async run({ machines, verifier, check }) {
      const ask = async (evidence: ThirdPartyEvidence, what: string) => {
        const reply = await verifier.verifyEvidence(evidence)
        check('VER-EVIDENCE-VALID', what).of(validityIn(reply)).is(true)
        check('VER-EVIDENCE-VALID-ONE', what).of(results(reply, 'valid')).is(1)
      }
      const { machine: ofCurve } = await machines.lightAgent({ until: 'booted' })
      for (const machine of [await machines.boot(), ofCurve]) {
        const evidence = await thirdPartyEvidence(machine, { ...STATED, quoted: NONCE })
        await ask(evidence, `valid by a key of ${machine.ak.algorithm}`)
      }
      const evidence = await thirdPartyEvidence(ofCurve, { ...STATED, quoted: NONCE })
      await ask(withManyFiles(evidence), `valid with a policy of ${MANY_FILES} files`)
    },
  }
  return [sound, ...DEFECTS.map((defect) => ({ ...common, ...defectScenario(place, defect) }))]
}

function defectScenario(
  place: string,
  { id, title, requirement, quoted = NONCE, flipped }: Defect,
): Omit<Scenario, 'role' | 'since'> {
  return {
    id: `${place}.${id}`,
    title,
    requirements: [requirement, 'VER-EVIDENCE-INVALID-ZERO'],
    variantOf: `${place}.valid`,
    async run({ machines, verifier, check }) {
      const machine = await machines.boot()
      const evidence = await thirdPartyEvidence(machine, { ...STATED, quoted })
      const sent = flipped === undefined ? evidence : withFlippedPart(evidence, flipped) // the defect
      const valid = results(await verifier.verifyEvidence(sent), 'valid')
      for (const row of [requirement, 'VER-EVIDENCE-INVALID-ZERO'])
        check(row, 'valid').of(valid).isOneOf([0, false])
    },
  }
}

function withFlippedPart(
  evidence: ThirdPartyEvidence,
  [part, bit]: readonly [number, number],
): ThirdPartyEvidence {
  const parts = String(evidence['quote']).slice(1).split(':')
  const bytes = flipBit(unbase64(parts[part] ?? ''), bit)
  return { ...evidence, quote: `r${parts.with(part, base64(bytes)).join(':')}` }
}
