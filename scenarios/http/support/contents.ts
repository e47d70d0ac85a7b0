import { gzipSync } from 'node:zlib'

/** A valid request with an unusual body or unusual content headers. */
export interface ContentRow {
  readonly id: string
  readonly says: string
  /** Headers in place of `content-type: application/json`. */
  readonly headers?: readonly string[]
  readonly body: (json: string) => string | Uint8Array
  readonly ends: 'refused' | 'either'
}

const same = (json: string): string => json
const type = (value: string): readonly string[] => [`content-type: ${value}`]

/** Adds a member at the front of an object. */
const withMember = (member: string) => (json: string) => `{${member},${json.slice(1)}`

const OTHER_ID = '6f0a2c8e-51d3-4b7a-9e64-0c2f8d1b7a35'

const DEEP = 10_000
const MANY = 1_000_000

/** Case 119: other media types, charsets and content codings. Case 108, where it applies to any body. */
export const CONTENTS: readonly ContentRow[] = [
  { id: 'no-type', says: 'no media type', headers: [], body: same, ends: 'either' },
  { id: 'text', says: 'text/plain', headers: type('text/plain'), body: same, ends: 'either' },
  {
    id: 'json-api',
    says: 'application/vnd.api+json',
    headers: type('application/vnd.api+json'),
    body: same,
    ends: 'either',
  },
  {
    id: 'form',
    says: 'JSON labelled as a form',
    headers: type('application/x-www-form-urlencoded'),
    body: same,
    ends: 'either',
  },
  {
    id: 'no-media-type',
    says: 'an invalid media type',
    headers: type('json;;=,'),
    body: same,
    ends: 'either',
  },
  {
    id: 'utf-8',
    says: 'a charset of UTF-8',
    headers: type('application/json; charset=utf-8'),
    body: same,
    ends: 'either',
  },
  {
    id: 'utf-16',
    says: 'a body in UTF-16',
    headers: type('application/json; charset=utf-16'),
    body: (json) => Buffer.from(json, 'utf16le'),
    ends: 'either',
  },
  {
    id: 'claimed-utf-16',
    says: 'a body in UTF-8 labelled as UTF-16',
    headers: type('application/json; charset=utf-16'),
    body: same,
    ends: 'either',
  },
  {
    id: 'mark',
    says: 'a byte order mark before the JSON',
    body: (json) => `\uFEFF${json}`,
    ends: 'either',
  },
  {
    id: 'gzip',
    says: 'a compressed body',
    headers: [...type('application/json'), 'content-encoding: gzip'],
    body: (json) => gzipSync(json),
    ends: 'either',
  },
  {
    id: 'claimed-gzip',
    says: 'a plain body labelled as compressed',
    headers: [...type('application/json'), 'content-encoding: gzip'],
    body: same,
    ends: 'either',
  },
  { id: 'none', says: 'no body', body: () => '', ends: 'refused' },
  { id: 'cut', says: 'half a body', body: (json) => json.slice(0, -5), ends: 'refused' },
  {
    id: 'list',
    says: 'a list in place of the object',
    body: (json) => `[${json}]`,
    ends: 'refused',
  },
  { id: 'null', says: 'null in place of the object', body: () => 'null', ends: 'refused' },
  {
    id: 'text-value',
    says: 'a string in place of the object',
    body: JSON.stringify,
    ends: 'refused',
  },
  { id: 'two', says: 'two objects', body: (json) => json + json, ends: 'refused' },
  {
    id: 'comma-after',
    says: 'a comma after the object',
    body: (json) => `${json},`,
    ends: 'refused',
  },
  {
    id: 'brace-after',
    says: 'a brace after the object',
    body: (json) => `${json}}`,
    ends: 'refused',
  },
  { id: 'nul-after', says: 'a NUL after the object', body: (json) => `${json}\0`, ends: 'refused' },
  {
    id: 'comma-before',
    says: 'a comma before the object',
    body: (json) => `,${json}`,
    ends: 'refused',
  },
  { id: 'comment', says: 'a comment in the JSON', body: (json) => `/**/${json}`, ends: 'refused' },
  { id: 'nan', says: 'a member that is NaN', body: withMember('"x":NaN'), ends: 'refused' },
  {
    id: 'infinity',
    says: 'a number out of range',
    body: withMember('"x":1e400'),
    ends: 'either',
  },
  {
    id: 'surrogate',
    says: 'an unpaired surrogate in a string',
    body: withMember('"x":"\\ud800"'),
    ends: 'either',
  },
  {
    id: 'no-utf-8',
    says: 'bytes that are not UTF-8',
    body: (json) => Buffer.from(withMember('"x":"\xff"')(json), 'latin1'),
    ends: 'refused', // RFC 8259, 8.1
  },
  { id: 'twice', says: 'a member twice', body: withMember('"tpm_policy":1'), ends: 'either' },
  {
    id: 'other-case',
    says: 'members called AGENT_ID and Agent_Id',
    body: (json) =>
      withMember(`"AGENT_ID":"${OTHER_ID}"`)(`${json.slice(0, -1)},"Agent_Id":"${OTHER_ID}"}`),
    ends: 'either',
  },
  {
    id: 'prototype',
    says: 'a member called __proto__',
    body: withMember('"__proto__":{"toString":1}'),
    ends: 'either',
  },
  {
    id: 'deep',
    says: `a member of ${DEEP} levels`,
    body: withMember(`"x":${'['.repeat(DEEP)}${']'.repeat(DEEP)}`),
    ends: 'either',
  },
  {
    id: 'wide',
    says: `a member of ${MANY} numbers`,
    body: withMember(`"x":[${'1,'.repeat(MANY)}1]`),
    ends: 'either',
  },
]
