import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { stringify } from 'yaml'
import { makeAuthority, makeCertificate } from '../../../simulator/x509/factory.ts'
import { CLIENT_AUTH, SERVER_AUTH } from '../../../simulator/x509/recipes.ts'
import type { NullRequest, NullServer } from './null-servers.ts'

const ROLES = ['registrar', 'verifier'] as const

/** A null server as registrar and verifier, and its target file, which claims everything. */
export interface ServedNothing {
  readonly directory: string
  readonly target: string
  close(): void
}

export async function serveNothing(server: NullServer): Promise<ServedNothing> {
  const directory = mkdtempSync(join(tmpdir(), 'assay-null-'))
  const now = Date.now()
  const ca = await makeAuthority('null', now)
  const [own, admin] = await Promise.all([
    makeCertificate(
      { commonName: 'server', usages: [SERVER_AUTH], addresses: ['127.0.0.1'] },
      ca,
      now,
    ),
    makeCertificate({ commonName: 'admin', usages: [CLIENT_AUTH] }, ca, now),
  ])
  const file = (name: string, text: string) => {
    const path = join(directory, name)
    writeFileSync(path, text)
    return path
  }
  const tls = { cert: own.certificate, key: own.key, ca: ca.certificate }
  const servers = ROLES.map((role) =>
    createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      answer(server, role, request, response).catch(() => response.destroy())
    }),
  )
  const [registrar, verifier] = await Promise.all(servers.map(listen))
  const target = file(
    'null.target.yaml',
    stringify({
      name: 'null',
      versions: ['2.1', '2.2', '2.3', '2.4', '2.5', '3.0'],
      capabilities: CAPABILITIES,
      roles: { registrar: { url: registrar }, verifier: { url: verifier } },
      tls: {
        ca: file('ca.crt', ca.certificate),
        admin: {
          certificate: file('admin.crt', admin.certificate),
          key: file('admin.pem', admin.key),
        },
      },
    }),
  )
  return {
    directory,
    target,
    close() {
      for (const one of servers) {
        one.closeAllConnections()
        one.close()
      }
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const CAPABILITIES = [
  'pull_mode',
  'ima_log',
  'uefi_log',
  'measured_boot',
  'boot_policy_names',
  'tls_resumption',
  'ek_store',
  'ek_profile',
  'device_identity',
  'sev_snp',
]

async function answer(
  server: NullServer,
  role: NullRequest['role'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method = '', url = '', headers, socket } = request
  const {
    status,
    body,
    headers: own,
  } = server({
    ...{ role, method, path: url.replace(/\?.*$/, '') },
    identified: headers.authorization !== undefined || (socket as TLSSocket).authorized,
    body: Buffer.concat(chunks).toString('utf8'),
  })
  response.writeHead(status, { 'content-type': 'application/json', ...own })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}
