import type { VectorGroup } from '../vector.ts'

const shared = { requirements: ['VER-EVIDENCE-VALID'], body: { nonce: 'a' } } as const

/** A group with one vector of each expected verdict. */
export const SMALL: VectorGroup = {
  schema: 'assay.vectors/1',
  source: { name: 'assay', version: '0.0.0' },
  ...{ group: 'small', title: 'Small.', vector_count: 3 },
  flaws: { 'case-1': 'A letter is missing' },
  requirements: { 'VER-EVIDENCE-VALID': 'Evidence is valid' },
  vectors: [
    { id: 'small-good', comment: 'Nothing is changed.', ...shared, expected: 'valid' },
    {
      ...{ id: 'small-bad', comment: 'The nonce is another.', baseline: 'small-good' },
      ...{ flaw: 'case-1', ...shared, expected: 'invalid', reason: 'malformed' },
      body: { nonce: 'b' },
    },
    {
      ...{ id: 'small-open', comment: 'The nonce is long.', baseline: 'small-good' },
      ...{ flaw: 'case-1', ...shared, expected: 'either', body: { nonce: 'aa' } },
      readings: { valid: 'a nonce has any length', invalid: 'a nonce has one character' },
    },
  ],
}

/** A program that runs this at each line of its input; `line` is its text, `n` its number from 0. */
export function adapterThat(acts: string): readonly string[] {
  const program = `let n = 0
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => { ${acts}; n += 1 })`
  return [process.execPath, '-e', program]
}
