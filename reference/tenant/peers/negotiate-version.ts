import { API_VERSIONS, type ApiVersion } from '../../api/versions.ts'

/** The version for a component that does not list its versions: every version in use includes it. */
export const WITHOUT_ANSWER: ApiVersion = '2.1'

/**
 * The newest version that both have (interface document: "the highest API version supported by both sides"). 3.0 is
 * left out: it brings the push endpoints, of which a tenant asks none.
 */
export function newestCommon(
  ours: readonly ApiVersion[],
  theirs: readonly string[],
): ApiVersion | undefined {
  return API_VERSIONS.filter((one) => !one.startsWith('3.')).findLast(
    (one) => ours.includes(one) && theirs.includes(one),
  )
}
