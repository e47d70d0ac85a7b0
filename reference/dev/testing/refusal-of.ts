import { ApiError } from '../../errors.ts'

/** The refusal of a request; fails if it was accepted, and rethrows other errors. */
export async function refusalOf(
  run: () => unknown,
): Promise<
  Pick<ApiError, 'code' | 'status' | 'message' | 'pointer'> & { readonly retryAfter?: number }
> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, status, message, pointer, retryAfter } = error
    return { code, status, message, pointer, ...(retryAfter === undefined ? {} : { retryAfter }) }
  }
  throw new Error('it was not refused')
}
