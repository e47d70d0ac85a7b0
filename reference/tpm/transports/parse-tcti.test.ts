import { expect, test } from 'vitest'
import { parseTcti } from './parse-tcti.ts'

test.each([
  ['swtpm:host=10.0.0.1,port=4000', { kind: 'tcp', host: '10.0.0.1', port: 4000 }],
  ['swtpm:port=4000', { kind: 'tcp', host: 'localhost', port: 4000 }],
  ['swtpm:', { kind: 'tcp', host: 'localhost', port: 2321 }],
  ['swtpm:path=/run/tpm/s', { kind: 'unix', path: '/run/tpm/s' }],
  ['device:/dev/tpm1', { kind: 'device', path: '/dev/tpm1' }],
  ['device', { kind: 'device', path: '/dev/tpmrm0' }],
])('%s is a place', (text, place) => {
  expect(parseTcti(text)).toEqual(place)
})

test.each([
  '',
  'tabrmd:',
  'swtpm:host=a,path=/b',
  'swtpm:port=0',
  'swtpm:port=65536',
  'swtpm:port=1,port=2',
  'swtpm:hots=a',
])('%j names no TPM', (text) => {
  expect(parseTcti(text)).toBeUndefined()
})
