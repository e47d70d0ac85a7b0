export { longestAlike, TEXTS_LITTLE_ALIKE } from '../../../conformance/steps/alike.ts'
