import { type Attempt, attempts } from './attempt.ts'
import {
  bitTurned,
  changedVariable,
  eachEntry,
  KIND_OF_CERTIFICATES,
  type List,
  relisted,
  relistedBytes,
  retyped,
  withNumber,
} from './signature-lists.ts'

const dbx = (change: (value: Buffer) => Uint8Array, as?: string) =>
  changedVariable('dbx', 'security', change, as)

export const REVOKED: readonly Attempt[] = [
  ...attempts('dbx', 'dbx', [
    ['without its first entry', dbx(eachEntry((entry, place) => (place === 0 ? [] : [entry])))],
    [
      'without its last entry',
      dbx(eachEntry((entry, place, all) => (place === all - 1 ? [] : [entry]))),
    ],
    [
      'without an entry in its middle',
      dbx(eachEntry((entry, place, all) => (place === all >> 1 ? [] : [entry]))),
    ],
    ['with every second entry', dbx(eachEntry((entry, place) => (place % 2 ? [] : [entry])))],
    ['of lists without entries', dbx(eachEntry(() => []))],
    ['with a bit of each owner turned', dbx(eachEntry((entry) => [bitTurned(entry, 8)]))],
    ['with a bit of each signature turned', dbx(eachEntry((entry) => [bitTurned(entry, 16)]))],
    [
      'with the last byte of its last entry turned',
      dbx(
        eachEntry((entry, place, all) => [
          place === all - 1 ? bitTurned(entry, entry.length - 1) : entry,
        ]),
      ),
    ],
    [
      'of digests under the kind of certificates',
      dbx(relisted((all) => retyped(all, KIND_OF_CERTIFICATES))),
    ],
    ['of digests under no known kind', dbx(relisted((all) => retyped(all, Buffer.alloc(16, 7))))],
    [
      'without its lists but the first entry',
      dbx(relisted((all) => [{ ...all[0], entries: all[0]?.entries.slice(0, 1) ?? [] } as List])),
    ],
  ]),
  ...attempts('dbx cut in its bytes:', 'data-form', [
    ['its last byte missing', dbx(relistedBytes((value) => value.subarray(0, -1)))],
    ['a byte more', dbx(relistedBytes((value) => Buffer.concat([value, Buffer.alloc(1)])))],
    ['a size of nothing', dbx(relistedBytes((value) => withNumber(value, 24, 0)))],
    ['a list larger than it is', dbx(relistedBytes((value) => withNumber(value, 16, 0xffffff)))],
    ['a header in its first list', dbx(relistedBytes((value) => withNumber(value, 20, 16)))],
  ]),
  ...attempts('database under another name:', 'variables', [
    [
      'DBX',
      dbx(
        relistedBytes((value) => value),
        'DBX',
      ),
    ],
    ['dbx of another vendor', changedVariable('dbx', 'global', (value) => value)],
    ['PK of another vendor', changedVariable('PK', 'security', (value) => value)],
    ['db of another vendor', changedVariable('db', 'global', (value) => value)],
    ['SecureBoot of another vendor', changedVariable('SecureBoot', 'shim', (value) => value)],
    ['secureboot', changedVariable('SecureBoot', 'global', (value) => value, 'secureboot')],
    [
      'dbx with a zero',
      dbx(
        relistedBytes((value) => value),
        'dbx\0',
      ),
    ],
    ['kek', changedVariable('KEK', 'global', (value) => value, 'kek')],
  ]),
]
