import { othersServedFamily } from './support/others-served-family.ts'

export default othersServedFamily('http.others-served')
