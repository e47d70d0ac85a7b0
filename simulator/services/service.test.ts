import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { makeAuthority, makeCertificate } from '../x509/factory.ts'
import { SERVER_AUTH } from '../x509/recipes.ts'
import { type Exchange, startService } from './service.ts'

async function started() {
  const issuer = await makeAuthority('test', Date.now())
  const recipe = { commonName: 'server', usages: [SERVER_AUTH], addresses: ['127.0.0.1'] }
  const { certificate, key } = await makeCertificate(recipe, issuer, Date.now())
  const seen: Exchange[] = []
  const service = await startService({
    answer: () => ({ status: 200 }),
    tls: { certificate, key, ca: issuer.certificate },
    onExchange: (exchange) => void seen.push(exchange),
  })
  onTestFinished(() => service.close())
  const places = {
    'without TLS': () => connect(service.port, '127.0.0.1'),
    'with TLS': () =>
      connectTls({ port: service.tlsPort, ca: issuer.certificate, host: '127.0.0.1' }),
  }
  return { service, seen, places }
}

/** Sends bytes, and returns the first line of the answer once the connection has ended. */
async function answerTo(socket: Socket, bytes: string): Promise<string | undefined> {
  let answer = ''
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text
  })
  socket.write(bytes, 'latin1')
  await once(socket, 'end')
  socket.destroy()
  return answer.split('\r\n')[0]
}

const BAD = 'POST /v2.5/agents/a HTTP/1.1\r\nno colon\r\n\r\n'

test.each(['without TLS', 'with TLS'] as const)(
  'bytes that are no HTTP are refused and recorded %s',
  async (place) => {
    const { service, seen, places } = await started()
    expect(await answerTo(places[place](), BAD)).toBe('HTTP/1.1 400 ')
    expect(seen).toEqual(service.exchanges)
    expect(seen).toMatchObject([
      {
        request: { method: '', url: 'POST /v2.5/agents/a HTTP/1.1', body: BAD },
        answer: { status: 400, body: { status: expect.stringContaining('Parse Error') } },
      },
    ])
    const good = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
    expect(await answerTo(places[place](), good)).toBe('HTTP/1.1 200 OK')
  },
)

test('a client that ends its connection without a request is not recorded', async () => {
  const { seen, places } = await started()
  for (const open of Object.values(places)) {
    const socket = open()
    await once(socket, 'connect')
    socket.destroy()
  }
  expect(await answerTo(places['without TLS'](), BAD)).toBe('HTTP/1.1 400 ')
  expect(seen).toHaveLength(1)
})
