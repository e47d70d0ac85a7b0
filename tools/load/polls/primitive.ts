import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'

const TIMES = 2000

/** CPU time in milliseconds of one P-256 signature verification in this process, under the current load. */
export function primitiveMs(): number {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const message = randomBytes(145)
  const signature = sign('sha256', message, privateKey)
  const began = process.cpuUsage()
  for (let count = 0; count < TIMES; count++) verify('sha256', message, publicKey, signature)
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000 / TIMES
}
