import { EventEmitter } from 'node:events'
import type { ClientRequest } from 'node:http'
import { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { ANONYMOUS } from '../identity.ts'
import { watchTls } from './watch-tls.ts'

test('a connection that is reset after its answer does not end this process', () => {
  // A connected socket has no listener of its own.
  const socket = new TLSSocket(new Socket()).removeAllListeners('error')
  for (let requests = 0; requests < 3; requests++) {
    const request = new EventEmitter() as ClientRequest
    watchTls(request, { credentials: ANONYMOUS })
    request.emit('socket', socket)
  }
  expect(() => socket.emit('error', new Error('write EPIPE'))).not.toThrow()
  expect(socket.listenerCount('error')).toBe(1)
})
