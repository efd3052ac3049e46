import type { Brand, CompatibleBrandEntry, Family, Protocol } from './catalogue-schema.js'

/** A compatible brand: ready to be used like a built-in one, or why it cannot be. */
export type CompatibleBrand = { readonly entry: CompatibleBrandEntry } & ({ readonly brand: Brand } | { readonly refused: string })

/** The ways to sign that an adapter has whose family says nothing. */
const usualAuthentication: readonly string[] = ['api_key']

const knownWays = ['api_key', 'aws', 'none'] as const

/** Joins an entry of the catalogue with what adapters can do: it is refused where none speaks a protocol of it, or signs as it wants. */
export function readCompatibleBrand(
  entry: CompatibleBrandEntry,
  known: {
    /** By id or by another spelling. */
    protocol(name: string): Protocol | undefined
    family(name: string): Family | undefined
  },
): CompatibleBrand {
  const spoken = entry.protocols.map((name) => known.protocol(name)).filter((protocol) => protocol !== undefined)
  const [first] = spoken
  if (!first) return { entry, refused: `no adapter speaks its protocol (${entry.protocols.join(', ')})` }
  const offered = known.family(first.family)?.authentication ?? usualAuthentication
  const ways = knownWays.filter((way) => entry.authentication.includes(way) && offered.includes(way))
  // What asks for no key can be called by every adapter without one.
  const keyless = entry.authentication.includes('none') ? (['none'] as const) : []
  const authentication = [...new Set([...keyless, ...ways])]
  if (authentication.length === 0)
    return { entry, refused: `the adapter ${first.family} cannot sign as it wants (${entry.authentication.join(', ')})` }
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
