import {
  attributes,
  type Context,
  isRefusal,
  type PushAgent,
  scenario,
} from '../../../../conformance/scenario.ts'
import {
  CONTINUATIONS,
  type Continuation,
  LISTED,
  LISTED_DIGEST,
} from '../../support/continuations.ts'
import {
  BINARY_LIST,
  digest,
  type EvidenceDefect,
  imaBufEntry,
  makeFileSigner,
  signedFileEntry,
  toHex,
} from '../../support/engine.ts'

const common = { role: 'verifier', since: '3.0', needs: ['ima_log'] } as const
const FORMATS = ['text/plain', BINARY_LIST]
const PASS = 'ATT-EVALUATION-PASS'
const times = (count: number) => Array.from({ length: count }, () => `measure ${LISTED}`).join('\n')

type Options = NonNullable<Parameters<Context['machines']['lightAgent']>[0]>

/** Adds a file to the policy that is measured later. */
const policy: NonNullable<Options['policy']> = (one) => ({
  ...one,
  digests: { ...one.digests, [LISTED]: [LISTED_DIGEST] },
})

type Evaluated = Pick<PushAgent, 'attest'>

async function checkPass(
  { check }: Context,
  agent: Evaluated,
  says: string,
  change?: EvidenceDefect,
): Promise<boolean> {
  return check(PASS, `evaluation of a list ${says}`)
    .of(attributes(await agent.attest(change), 'evaluation'))
    .is('pass')
}

const growing = scenario({
  ...common,
  id: 'push.evidence.list-continued.passes',
  title: 'The verifier passes a list that goes on with listed files, over several attestations',
  requirements: [PASS],
  async run(context) {
    for (const entries of [9, 255, 256]) {
      // Of a text list, whose entries may take several lines, a verifier may ask for the whole.
      const agent = await context.machines.lightAgent({ policy, imaFormats: FORMATS })
      await agent.machine.play(times(entries - agent.machine.ima.count))
      await checkPass(context, agent, `of ${entries} entries`)
      await agent.machine.play(times(1))
      await checkPass(context, agent, `of ${entries} entries that goes on`)
      await checkPass(context, agent, `of ${entries} entries that has not gone on since`)
      await agent.machine.play(times(2))
      await checkPass(context, agent, `of ${entries} entries that goes on again`)
      // The quote shows nothing new.
      await checkPass(context, agent, `of ${entries} entries that goes on after the quote`, {
        afterQuote: () => agent.machine.play(times(3)),
      })
      await checkPass(
        context,
        agent,
        `of ${entries} entries, over what came after the quote before`,
      )
    }
  },
})

const later = (signer: ReturnType<typeof makeFileSigner>) =>
  signedFileEntry('/usr/bin/later', signer)

const signed = scenario({
  ...common,
  id: 'push.evidence.list-continued.signed',
  title: 'The verifier trusts the keys that a list measured in every continuation of this list',
  requirements: [PASS],
  async run(context) {
    const [signer, other] = [makeFileSigner(), makeFileSigner()]
    const listed = [signer, other].map(({ publicDer }) => toHex(digest('sha256', publicDer)))
    const agent = await context.machines.lightAgent({
      policy: (one) => ({ ...one, keyrings: { '.ima': listed } }),
      imaFormats: FORMATS,
    })
    for (const [says, entry] of [
      ['that measures a key which the policy lists', imaBufEntry('.ima', signer.publicDer)],
      ...['/usr/bin/first', '/usr/bin/second', '/usr/bin/third'].map(
        (path) =>
          [`that goes on with ${path}, signed by that key`, signedFileEntry(path, signer)] as const,
      ),
      ['that measures another key', imaBufEntry('.ima', other.publicDer)],
      ['that goes on with a file signed by the first key', later(signer)],
      ['that goes on with a file signed by the second key', later(other)],
    ] as const) {
      await agent.machine.append(entry)
      if (!(await checkPass(context, agent, says))) return
    }
  },
})

async function checkFails(context: Context, one: Continuation): Promise<void> {
  const { says, play = '', change, breaks, reason } = one
  const agent = await context.machines.lightAgent({ policy })
  if (!(await checkPass(context, agent, 'that passes at first'))) return
  await agent.machine.play(play)
  const what = `of a list that goes on ${says}`
  const negotiation = await agent.negotiate()
  const sent = await agent.submit(negotiation, { ...change, says: `a list that goes on ${says}` })
  const seen = isRefusal(sent) ? undefined : await agent.verdict(negotiation)
  const judged = context
    .check(breaks, `evaluation ${what}`)
    .of(seen === undefined ? 'refused' : attributes(seen, 'evaluation'))
    .isOneOf(change === undefined ? ['fail'] : ['refused', 'fail'])
  if (reason === undefined || seen === undefined || !judged) return
  const [requirement, expected] = reason
  context
    .check(requirement, `failure_reason ${what}`)
    .of(attributes(seen, 'failure_reason'))
    .is(expected)
}

const broken = scenario({
  ...common,
  id: 'push.evidence.list-continued.fails',
  title:
    'The verifier compares the continuation of a list with PCR 10 and policy like its beginning',
  requirements: [
    PASS,
    ...new Set(CONTINUATIONS.flatMap(({ breaks, reason = [] }) => [breaks, ...reason.slice(0, 1)])),
  ],
  variantOf: growing.id,
  async run(context) {
    for (const one of CONTINUATIONS) await checkFails(context, one)
  },
})

export default [growing, signed, broken]
