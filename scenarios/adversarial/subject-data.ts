import { subjectDataFamily } from '../../conformance/dsl.ts'

export default subjectDataFamily('adversarial.subject-data')
