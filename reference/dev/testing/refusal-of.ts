import { ApiError } from '../../errors.ts'

/** How a request was refused; fails when it was not, and passes on what is no refusal. */
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
