import { at, attributes, listOf, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { attestationIndex } from '../support/engine.ts'

/** So many that the indexes have two digits, whether they begin at 0 or at 1. */
const ATTESTATIONS = 12

const ascending = (one: number, other: number) => one - other

export default scenario({
  id: 'push.attestation.beyond-ten',
  title: 'The verifier keeps an agent with twelve attestations apart by their index as a number',
  requirements: ['ATT-LIST', 'ATT-READ-ID-SAME', 'ATT-LATEST-IS-NEWEST', 'ATT-LATEST-ONLY'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.attestation.read-back',
  async run({ verifier, machines, random, check }) {
    const agent = await machines.softAgent()
    const begun = [await agent.negotiate(), await agent.negotiate(), await agent.negotiate()]
    const list = { params: { agent_id: agent.id }, as: verifier.admin }
    const checkListed = async () => {
      const listed = listOf(at((await verifier.call('list-attestations', list)).body, 'data'))
      check('ATT-LIST', 'indexes of the list, sorted')
        .of(listed?.map((one) => Number(attestationIndex(one))).toSorted(ascending))
        .is(begun.map(({ index }) => Number(index)))
    }
    await checkListed()
    for (const { index } of begun)
      check('ATT-READ-ID-SAME', `index of the read of ${index}`)
        .of(attestationIndex(at((await verifier.attestation(agent.id, index)).body, 'data')))
        .is(index)
    const lastOpen = begun[1]?.index ?? '1'
    while (begun.length < ATTESTATIONS) begun.push(await agent.negotiate())
    await checkListed()
    const latest = begun.at(-1) ?? (await agent.negotiate())
    const indexOfLatest = async () =>
      attestationIndex(at((await verifier.attestation(agent.id, 'latest')).body, 'data'))
    check('ATT-LATEST-IS-NEWEST', `latest of ${ATTESTATIONS}`)
      .of(await indexOfLatest())
      .is(latest.index)
    for (const older of ['1', lastOpen, begun.at(-2)?.index ?? '1'])
      check('ATT-LATEST-ONLY', `evidence to ${older} while ${latest.index} is the latest`)
        .of(await agent.submit(latest, {}, older)) // the defect
        .matches(...REFUSED)
    const taken = await agent.submit(latest, { challenge: random.bytes(32) }, 'latest')
    check('ATT-LATEST-IS-NEWEST', 'index for which evidence to latest was taken')
      .of(attestationIndex(at(taken.body, 'data')))
      .is(latest.index)
    const verdict = attributes(await agent.verdict(latest), 'evaluation')
    check('ATT-LATEST-IS-NEWEST', 'evaluation of latest after evidence over another challenge')
      .of(attributes(await verifier.attestation(agent.id, 'latest'), 'evaluation'))
      .is(verdict)
    await agent.negotiate()
    check('ATT-LATEST-IS-NEWEST', 'number of latest after one more')
      .of(Number(await indexOfLatest()))
      .is(Number(latest.index) + 1)
    check('ATT-READ-ID-SAME', `index of the read of ${latest.index} after one more`)
      .of(attestationIndex(at((await verifier.attestation(agent.id, latest.index)).body, 'data')))
      .is(latest.index)
  },
})
