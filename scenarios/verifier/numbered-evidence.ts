import { numberedEvidenceFamily } from './support/numbered-evidence-family.ts'

/** Evidence of a third party under 2.4, where `valid` is 1 or 0: sound, and with one defect of the quote. */
export default numberedEvidenceFamily('verifier.numbered-evidence')
