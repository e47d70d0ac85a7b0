import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartFault } from '../errors.ts'
import { type PathCertificate, readPathCertificate } from './path-certificate.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g

/**
 * Reads the certificates of makers: `places` are directories, of which every `*.pem` is read, and PEM files,
 * separated by commas. A `StartFault` names the setting and the place that cannot be read or holds no certificate.
 */
export function loadCertificateStore(setting: string, places: string): readonly PathCertificate[] {
  const paths = places.split(',').map((place) => place.trim())
  return paths.flatMap((path) =>
    guarded(setting, path, () => filesOf(setting, path).flatMap((file) => loadFile(setting, file))),
  )
}

function filesOf(setting: string, path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  const files = readdirSync(path).filter((name) => name.endsWith('.pem'))
  if (files.length > 0) return files.toSorted().map((name) => join(path, name))
  throw new StartFault(`${setting}: ${path} holds no *.pem`, 'put the certificates there')
}

function loadFile(setting: string, file: string): readonly PathCertificate[] {
  const found = [...readFileSync(file, 'utf8').matchAll(CERTIFICATE)]
  if (found.length > 0)
    return guarded(setting, file, () =>
      found.map(([, text = '']) => readPathCertificate(Buffer.from(text, 'base64'))),
    )
  throw new StartFault(
    `${setting}: ${file} holds no certificate in PEM`,
    'take it out of the store',
  )
}

function guarded<T>(setting: string, path: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof StartFault) throw cause
    throw new StartFault(
      `${setting}: ${path} cannot be read as certificates`,
      'it takes directories with *.pem, and PEM files, separated by commas',
      cause,
    )
  }
}
