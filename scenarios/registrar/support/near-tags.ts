/** A tag that differs from the right one in one place. */
interface NearTag {
  readonly says: string
  of(tag: string): string
}

/** Replaces the digit at a place by another one. */
const flipped = (tag: string, at: number): string => {
  const place = at < 0 ? tag.length + at : at
  return `${tag.slice(0, place)}${tag[place] === '0' ? '1' : '0'}${tag.slice(place + 1)}`
}

export const nearTags: readonly NearTag[] = [
  { says: 'a tag without its last digit', of: (tag) => tag.slice(0, -1) },
  { says: 'a tag without its first digit', of: (tag) => tag.slice(1) },
  { says: 'the first half of the tag', of: (tag) => tag.slice(0, tag.length / 2) },
  {
    says: 'the first half of the tag, followed by zeros',
    of: (tag) => tag.slice(0, tag.length / 2).padEnd(tag.length, '0'),
  },
  {
    says: 'the second half of the tag, after zeros',
    of: (tag) => tag.slice(tag.length / 2).padStart(tag.length, '0'),
  },
  { says: 'a tag and one more digit', of: (tag) => `${tag}0` },
  { says: 'a tag after another digit', of: (tag) => `0${tag}` },
  { says: 'the tag twice', of: (tag) => tag + tag },
  { says: 'a tag with another first digit', of: (tag) => flipped(tag, 0) },
  { says: 'a tag with another last digit', of: (tag) => flipped(tag, -1) },
  { says: 'an empty tag', of: () => '' },
  { says: 'a blank', of: () => ' ' },
  { says: 'as many blanks', of: (tag) => ' '.repeat(tag.length) },
  { says: 'a tag with another digit in the middle', of: (tag) => flipped(tag, tag.length / 2) },
]
