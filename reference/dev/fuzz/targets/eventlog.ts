import { evaluateQuote } from '../../../evidence/quote/quote.ts'
import type { VerifiedPcrs } from '../../../evidence/quote/verified-pcrs.ts'
import {
  type BootChecks,
  defaultBootChecks,
  evaluateUefi,
} from '../../../evidence/uefi/evaluate-uefi.ts'
import type { BootPolicyName } from '../../../evidence/uefi/policy/boot-policy.ts'
import { type BootRun, HONEST_BOOTS, READ_STATES } from '../boot-logs.ts'
import { blobOf, HONEST_QUOTES } from '../machines.ts'
import { bootMustNotPass } from '../models/boot-model.ts'
import { mutateBootRun } from '../mutators/eventlog.ts'
import { saidBy } from '../says.ts'
import type { Target } from '../target.ts'

/** Boot logs beside the PCRs that they have to replay to, and the boot policies that judge them. */
export function eventlogTarget(checks: BootChecks = defaultBootChecks): Target<BootRun> {
  return {
    name: 'eventlog',
    honest: HONEST_BOOTS,
    mutate: mutateBootRun,
    judge(run) {
      const { findings } = evaluateUefi(run.log, quoted(run), 'sha256', expected(run), checks)
      if (findings.length > 0) return { verdict: 'fail', says: saidBy(findings) }
      const mustNotPass = run.state < 0 ? undefined : bootMustNotPass(run)
      return { verdict: 'pass', says: [], ...(mustNotPass && { mustNotPass }) }
    },
  }
}

function expected({ state, policy }: BootRun) {
  const read = READ_STATES[state]
  if (!read) return { required: false }
  return { required: true, policy: { name: policy as BootPolicyName, state: read } }
}

const SHA256_ID = 11

/** The quoted values as proven ones. With no checks asked, a quote proves whatever it is said to. */
function quoted({ quoted: values }: BootRun): VerifiedPcrs {
  const [quote] = HONEST_QUOTES
  if (!quote) throw new Error('there is no honest quote')
  const pcrs = Object.entries(values).map(([pcr, value]) => [Number(pcr), value] as const)
  const bytes = blobOf([['sha256', SHA256_ID, pcrs]])
  const { attestationKey, nonce, message, signature } = quote
  const { verified, findings } = evaluateQuote(
    {
      ...{ attestationKey, nonce, hashAlgorithm: 'sha256' },
      ...{ acceptedHashes: [], acceptedSchemes: [], requestedPcrs: { bank: '', pcrs: [] } },
      quote: { message, signature, claimed: { form: 'blob', bytes } },
    },
    [],
  )
  if (!verified) throw new Error(`no value was proven: ${findings[0]?.context.message}`)
  return verified
}
