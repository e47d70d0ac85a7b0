import { type FileCheck, listFileChecks } from '../target/check-files.ts'
import { exceedsCertification } from '../target/limits.ts'
import type { DoctorCheck, StepResult } from './examination.ts'

function checkFile({ run }: FileCheck): StepResult {
  const detail = run()
  if (!detail.includes('warning: ')) return { detail }
  const next = 'issue it with the extended key usage clientAuth'
  return { detail: detail.replace('warning: ', ''), warning: { code: 'D-CERT-EKU', next } }
}

/** CA, certificate and key of the administrator are readable, valid now, usable by a client, and match. */
export const checkFiles: DoctorCheck = {
  name: 'files',
  stage: 'files',
  codes: ['D-CERT-UNREADABLE', 'D-CERT-EXPIRED', 'D-CERT-EKU', 'D-CERT-KEY'],
  steps: ({ target, now }) =>
    listFileChecks(target, new Date(now())).map((check) => ({
      what: check.what,
      run: () => checkFile(check),
    })),
}

/** Warns of time limits above the certification maximum: such a run cannot be certified. */
export const checkTimes: DoctorCheck = {
  name: 'times',
  stage: 'files',
  codes: ['D-TARGET-LIMITS'],
  steps: ({ target }) =>
    exceedsCertification(target).map(({ key, sentence }) => ({
      what: `time.${key}`,
      run: () => {
        const next = `shorten time.${key} in ${target.file} for a run that is to be certified`
        return { detail: sentence, warning: { code: 'D-TARGET-LIMITS', next } }
      },
    })),
}
