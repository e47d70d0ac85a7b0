import { genericNames } from '../../api/any-length.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import type { Check } from '../../evidence/check.ts'
import { finding } from '../../evidence/findings.ts'
import { decode } from '../../tpm/codec.ts'
import { acceptsKey, acceptsName, keyAlgorithm } from '../../tpm/key-algorithm.ts'
import { TPM2B_PUBLIC } from '../../tpm/public.ts'
import type { PolledTask } from '../evaluation/task.ts'

type Answered = keyof Pick<PolledTask['answer'], 'hash_alg' | 'sign_alg'>
type Accepting = 'accept_tpm_hash_algs' | 'accept_tpm_signing_algs'

/** What is verified of an agent's answer before its evidence is looked at, in this order. */
export const answerChecks: readonly Check<PolledTask>[] = [
  acceptedCheck('answer.hash-alg', 'hash_alg', 'accept_tpm_hash_algs', 'invalid_hash_alg'),
  {
    id: 'answer.enc-alg',
    why: 'an attester that chooses the algorithms chooses the weakest',
    run: ({ agent, answer: { enc_alg } }) =>
      isAcceptedKey(agent, enc_alg)
        ? undefined
        : finding('quote_validation.invalid_enc_alg', refusalOf('enc_alg', enc_alg)),
  },
  acceptedCheck('answer.sign-alg', 'sign_alg', 'accept_tpm_signing_algs', 'invalid_sign_alg'),
  {
    id: 'answer.pubkey',
    why: 'without a key in the quote secrets may go to another machine',
    run: ({ nodeKey }) =>
      nodeKey === undefined
        ? finding('quote_validation.no_pubkey', 'the answer has no pubkey, and none is known')
        : undefined,
  },
  {
    id: 'answer.ima-entry',
    why: 'a list that begins at another entry may hide entries',
    run: ({ answer, imaEntry }) =>
      [0, imaEntry].includes(answer.ima_measurement_list_entry)
        ? undefined
        : finding(
            'quote_validation.invalid_ima_entry_nb',
            `the list begins at line ${answer.ima_measurement_list_entry}, asked for was ${imaEntry} or the whole`,
          ),
  },
]

/** The name that the agent gives: one of those accepted, or that of its key where keys of any length are. */
function isAcceptedKey(
  { ak_tpm, accept_tpm_encryption_algs }: PolledTask['agent'],
  name: string,
): boolean {
  const accepted: readonly string[] = JSON.parse(accept_tpm_encryption_algs)
  if (acceptsName(genericNames(accepted), name)) return true
  const { contents } = decode(TPM2B_PUBLIC, fromBase64(ak_tpm))
  return name === keyAlgorithm(contents) && acceptsKey(accepted, contents)
}

function acceptedCheck(
  id: string,
  member: Answered,
  list: Accepting,
  kind: 'invalid_hash_alg' | 'invalid_sign_alg',
): Check<PolledTask> {
  return {
    id,
    why: 'an attester that chooses the algorithms chooses the weakest',
    run: ({ agent, answer }) =>
      (JSON.parse(agent[list]) as readonly string[]).includes(answer[member])
        ? undefined
        : finding(`quote_validation.${kind}`, refusalOf(member, answer[member])),
  }
}

function refusalOf(member: string, value: string): string {
  return value === ''
    ? `the answer has no ${member}`
    : `${member} ${value.slice(0, 32)} is not accepted for this agent`
}
