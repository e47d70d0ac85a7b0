import { teeFamily } from './support/tee-family.ts'

/** SEV-SNP reports: a right one with its claims, and each fault. */
export default teeFamily('verifier.tee')
