import type { ServerResponse } from 'node:http'

/** Runs `work` once the response has left or its connection is gone, whichever came first or has come already. */
export function whenSent(response: ServerResponse, work: () => void): void {
  if (response.closed || response.destroyed) work()
  else response.once('close', work)
}
