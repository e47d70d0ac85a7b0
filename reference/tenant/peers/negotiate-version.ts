import { API_VERSIONS, type ApiVersion } from '../../api/versions.ts'

/** What is spoken with a component that does not say what it speaks: no version without this one is in use. */
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
