import { type FileCheck, listFileChecks } from '../target/check-files.ts'
import { exceedsCertification } from '../target/limits.ts'
import type { DoctorCheck, Seen } from './examination.ts'

function lookAtFile({ look }: FileCheck): Seen {
  const detail = look()
  if (!detail.includes('warning: ')) return { detail }
  const next = 'issue it with the extended key usage clientAuth'
  return { detail: detail.replace('warning: ', ''), warning: { code: 'D-CERT-EKU', next } }
}

/** CA, certificate and key of the administrator: readable, in date, for clients, and a pair. */
export const checkFiles: DoctorCheck = {
  name: 'files',
  stage: 'files',
  codes: ['D-CERT-UNREADABLE', 'D-CERT-EXPIRED', 'D-CERT-EKU', 'D-CERT-KEY'],
  looks: ({ target, now }) =>
    listFileChecks(target, new Date(now())).map((check) => ({
      what: check.what,
      look: () => lookAtFile(check),
    })),
}

/** Times above what certification allows: such a run says something, but nothing to certify. */
export const checkTimes: DoctorCheck = {
  name: 'times',
  stage: 'files',
  codes: ['D-TARGET-LIMITS'],
  looks: ({ target }) =>
    exceedsCertification(target).map(({ key, sentence }) => ({
      what: `time.${key}`,
      look: () => {
        const next = `shorten time.${key} in ${target.file} for a run that is to be certified`
        return { detail: sentence, warning: { code: 'D-TARGET-LIMITS', next } }
      },
    })),
}
