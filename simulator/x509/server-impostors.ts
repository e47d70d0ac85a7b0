import { CLIENT_AUTH, type Recipe, SERVER_AUTH } from './recipes.ts'

const RIGHT: Recipe = { commonName: 'server', usages: [SERVER_AUTH], addresses: ['127.0.0.1'] }

/** A server certificate that differs in one place from a right one. */
export interface ServerImpostor {
  readonly says: string
  readonly recipe: Recipe
}

/** Server certificates that no client accepts. */
export const SERVER_IMPOSTORS = {
  'other-authority': { says: 'of another authority', recipe: { ...RIGHT, issuer: 'other' } },
  namesake: {
    says: 'of an authority of the same name',
    recipe: { ...RIGHT, issuer: 'namesake' },
  },
  'self-signed': { says: 'that is self-signed', recipe: { ...RIGHT, issuer: 'itself' } },
  expired: { says: 'that has expired', recipe: { ...RIGHT, days: [-30, -1] } },
  'not-yet-valid': { says: 'that is not valid yet', recipe: { ...RIGHT, days: [1, 30] } },
  'other-name': {
    says: 'for another address',
    recipe: { ...RIGHT, addresses: ['192.0.2.1'] },
  },
  'client-only': { says: 'for clients only', recipe: { ...RIGHT, usages: [CLIENT_AUTH] } },
} as const satisfies Readonly<Record<string, ServerImpostor>>
