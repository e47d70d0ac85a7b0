import { subjectDataFamily } from './support/subject-data-family.ts'

export default subjectDataFamily('adversarial.subject-data')
