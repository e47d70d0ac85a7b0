import { at, scenario } from '../../../conformance/scenario.ts'
import { attestationIndex } from '../support/engine.ts'

export default scenario({
  id: 'push.attestation.of-two-agents',
  title: 'The verifier keeps separate indexes, challenges and lists for each agent',
  requirements: [
    'ATT-LIST-EMPTY',
    'ATT-LIST-OWN-ONLY',
    'ATT-INDEX-PER-AGENT',
    'ATT-INDEX-FIRST',
    'ATT-INDEX-ASSIGNED',
    'ATT-CHALLENGE-PER-AGENT',
    'ATT-CHALLENGE-GENERATED',
    'ATT-LATEST-IS-NEWEST',
  ],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check }) {
    const [one, other] = [await machines.softAgent(), await machines.softAgent()]
    const indexesOf = async (agent_id: string) => {
      const list = await verifier.call('list-attestations', {
        params: { agent_id },
        as: verifier.admin,
      })
      const data = at(list.body, 'data')
      // Whether a single attestation is returned in an array is checked elsewhere.
      return data === undefined ? undefined : [data].flat().map(attestationIndex)
    }
    check('ATT-LIST-EMPTY', 'list before the first attestation')
      .of(await indexesOf(one.id))
      .is([])
    const begun = [await one.negotiate(), await one.negotiate()]
    const first = await other.negotiate()
    check('ATT-INDEX-FIRST', 'first index')
      .of(begun[0]?.index)
      .meets({ 0: (index) => index === '0', 1: (index) => index === '1' })
    check('ATT-INDEX-PER-AGENT', 'first index of the other agent')
      .of(first.index)
      .is(begun[0]?.index ?? '')
    const listed = await indexesOf(one.id)
    check('ATT-INDEX-ASSIGNED', 'indexes of the answers that the list lacks')
      .of(begun.map(({ index }) => index).filter((index) => !listed?.includes(index)))
      .is([])
    check('ATT-LIST-OWN-ONLY', 'list of the other agent')
      .of(await indexesOf(other.id))
      .is([first.index])
    const challenges = [...begun, first].map(({ challenge }) => challenge.join())
    check('ATT-CHALLENGE-PER-AGENT', 'whether the agents have a challenge in common')
      .of(challenges.slice(0, 2).includes(challenges[2] ?? ''))
      .is(false)
    check('ATT-CHALLENGE-GENERATED', 'different challenges of three attestations')
      .of(new Set(challenges).size)
      .is(3)
    const latest = await verifier.attestation(one.id, 'latest')
    check('ATT-LATEST-IS-NEWEST', 'index of latest')
      .of(attestationIndex(at(latest.body, 'data')))
      .is(begun[1]?.index)
  },
})
