import { REFUSED } from '../../../conformance/attempt/check.ts'
import { isRefusal, isSuccess, type Reply } from '../../../conformance/attempt/reply.ts'
import type { PushAgent } from '../../../conformance/client/agents/push-agent.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { closestReading, type Family } from './ek-certificate-cells.ts'

const TAKEN = ['a success, as for the others of its kind', isSuccess] as const
type Agent = Pick<PushAgent, 'id' | 'register' | 'ekCertificate'>

/** The cell of a certificate in the matrix `ek-certificates`. */
export const cellOf = (defect: string): string => `EK certificate ${defect}`

/** Registers with every certificate of the family, and judges all replies by the reading that they fit best. */
export async function judgeFamily(context: Context, agent: Agent, family: Family): Promise<void> {
  const { registrar, verifier, check, asks, observe } = context
  const replies = new Map<string, Reply>()
  for (const { defect } of family.cells) {
    const reply = await agent.register({ ekcert: await agent.ekCertificate(defect) }) // the defect
    replies.set(defect, reply)
    if (!isRefusal(reply)) await registrar.delete(agent.id, verifier.admin)
  }
  const rejected = new Set([...replies].flatMap(([defect, it]) => (isRefusal(it) ? [defect] : [])))
  const reading = closestReading(family, rejected)
  observe('EKNOCERT', `certificates as one ${family.cells[0]?.says}: the registrar`, reading.says)
  for (const { defect, part, says } of family.cells) {
    const [reply, cell] = [replies.get(defect), cellOf(defect)]
    if (reply === undefined || !asks(cell)) continue
    const what = `registration with a certificate ${says}`
    const isToBeRejected = reading.rejects.includes(part)
    const [expected, holds] = isToBeRejected ? REFUSED : TAKEN
    check(family.requirement, `${what}, at a registrar that ${reading.says}`, cell)
      .of(reply)
      .matches(expected, holds)
  }
}
