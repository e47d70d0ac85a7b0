import { type Scenario, scenario } from '../../conformance/scenario.ts'
import { checkFailed, type Reason } from './support/check-failed.ts'
import { type EvidenceDefect, replaceBytes } from './support/engine.ts'

interface Row {
  /** Below `push.evidence.` */
  readonly id: string
  readonly title: string
  readonly row: string
  /** The requirement that the verifier gives this reason. */
  readonly reason: Reason
  /** What happens to the machine before it attests. */
  readonly play?: string
  /** The change of the evidence. */
  readonly change?: EvidenceDefect
  readonly needs?: Scenario['needs']
}

const ROWS: readonly Row[] = [
  {
    id: 'file-not-in-policy',
    title: 'reports a file missing from the runtime policy as a policy violation',
    ...{ row: 'ATT-RUNTIME-POLICY-JUDGES', reason: 'ATT-REASON-POLICY' },
    play: 'measure /usr/bin/not-in-policy',
    needs: ['ima_log'],
  },
  {
    id: 'violation',
    title: 'reports a file written during its measurement as a policy violation',
    ...{ row: 'ATT-IMA-VIOLATION', reason: 'ATT-REASON-POLICY' },
    play: 'violation /mnt/run.sh',
    needs: ['ima_log'],
  },
  {
    id: 'ima-entries-swapped',
    title: 'rejects a measurement list with two entries swapped',
    ...{ row: 'ATT-IMA-REPLAYS', reason: 'ATT-REASON-BROKEN' },
    play: 'fault entries-swapped',
    needs: ['ima_log'],
  },
  {
    id: 'ima-entry-removed',
    title: 'rejects a measurement list that lacks an entry',
    ...{ row: 'ATT-IMA-REPLAYS', reason: 'ATT-REASON-BROKEN' },
    play: 'fault entry-removed',
    needs: ['ima_log'],
  },
  {
    id: 'ima-entry-altered',
    title: 'rejects a measurement list with an altered entry',
    ...{ row: 'ATT-IMA-REPLAYS', reason: 'ATT-REASON-BROKEN' },
    change: { imaList: (list) => replaceBytes(list, '/mnt/run.sh', '/mnt/bin.sh') },
    needs: ['ima_log'],
  },
  {
    id: 'time-attestation',
    title: 'rejects a TIME attestation in place of the quote',
    ...{ row: 'ATT-QUOTE-IS-QUOTE', reason: 'ATT-REASON-BROKEN' },
    // TPM2_GetTime by the same key.
    change: { attestation: 'time' },
  },
]

export default ROWS.map(({ id, title, row, reason, play, change, needs = [] }) =>
  scenario({
    id: `push.evidence.${id}`,
    title: `The verifier ${title}`,
    requirements: [row, reason],
    role: 'verifier',
    since: '3.0',
    needs,
    variantOf: 'push.evidence.accepted',
    async run({ machines, check }) {
      const agent = await machines.pushAgent()
      if (play !== undefined) await agent.machine.play(play)
      const seen = await agent.attest(change)
      checkFailed(check, seen, [row, reason])
    },
  }),
)
