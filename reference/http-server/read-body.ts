import type { IncomingMessage } from 'node:http'
import { errorCodes } from 'fastify'

const { FST_ERR_CTP_BODY_TOO_LARGE: TooLarge, FST_ERR_CTP_INVALID_CONTENT_LENGTH: OtherLength } =
  errorCodes

/** Bytes from which a body of known length is copied as it arrives. */
const LARGE = 64 * 1024

/**
 * Reads the body of a request into one buffer. A large body is copied as it arrives: if its pieces were kept until the
 * end, collecting that memory would delay all other requests.
 *
 * @param limit bytes; a longer body is not read to its end
 * @throws {FastifyError} if the body is too long, or not as long as its `content-length`
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const length = Number(request.headers['content-length'])
  if (length > limit) return Promise.reject(new TooLarge())
  const whole = length > LARGE ? Buffer.allocUnsafeSlow(length) : undefined
  const pieces: Buffer[] = []
  let received = 0
  return new Promise((resolve, reject) => {
    const onPiece = (piece: Buffer): void => {
      if (whole === undefined) pieces.push(piece)
      else piece.copy(whole, received)
      received += piece.length
      if (received <= limit) return
      request.off('data', onPiece)
      reject(new TooLarge())
    }
    request.on('data', onPiece)
    request.once('error', (error) => reject(Object.assign(error, { statusCode: 400 })))
    request.once('end', () => {
      if (received !== length && !Number.isNaN(length)) reject(new OtherLength())
      else resolve(whole ?? Buffer.concat(pieces, received))
    })
  })
}
