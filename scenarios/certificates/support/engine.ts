/** Engine exports used by the scenarios of this area, in addition to `conformance/scenario.ts`. */
export { headersOfProxies } from '../../../conformance/steps/proxy-headers.ts'
