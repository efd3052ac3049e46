import type { Brand, CompatibleBrandEntry, Family, Protocol } from './catalogue-schema.js'

/** A compatible brand that can be used like a built-in one, or the reason why not. */
export type CompatibleBrand = { readonly entry: CompatibleBrandEntry } & ({ readonly brand: Brand } | { readonly refused: string })

/** The authentication of adapters whose family lists none. */
const usualAuthentication: readonly string[] = ['api_key']

const knownWays = ['api_key', 'aws', 'none'] as const

/**
 * Matches an entry with the adapters: it is refused if none speaks its protocols or supports its
 * authentication.
 */
export function readCompatibleBrand(
  entry: CompatibleBrandEntry,
  known: {
    /** Finds by id or another spelling. */
    protocol(name: string): Protocol | undefined
    family(name: string): Family | undefined
  },
): CompatibleBrand {
  const spoken = entry.protocols.map((name) => known.protocol(name)).filter((protocol) => protocol !== undefined)
  const [first] = spoken
  if (!first) return { entry, refused: `no adapter speaks its protocol (${entry.protocols.join(', ')})` }
  const offered = known.family(first.family)?.authentication ?? usualAuthentication
  const ways = knownWays.filter((way) => entry.authentication.includes(way) && offered.includes(way))
  // Every adapter can call a brand that requires no key.
  const keyless = entry.authentication.includes('none') ? (['none'] as const) : []
  const authentication = [...new Set([...keyless, ...ways])]
  if (authentication.length === 0)
    return { entry, refused: `the adapter ${first.family} does not support its authentication (${entry.authentication.join(', ')})` }
  return {
    entry,
    brand: {
      id: entry.id,
      name: entry.name,
      adapter: first.family,
      ...(entry.base_url !== undefined && { base_url: entry.base_url }),
      ...(entry.requires_base_url !== undefined && { requires_base_url: entry.requires_base_url }),
      default_protocol: first.id,
      protocols: spoken.filter(({ family }) => family === first.family).map(({ id }) => id),
      authentication,
      typed_settings: true,
      quirks: {},
    },
  }
}
