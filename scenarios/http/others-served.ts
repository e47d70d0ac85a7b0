import { othersServedFamily } from '../../conformance/dsl.ts'

export default othersServedFamily('http.others-served')
