import type { Catalogue } from './catalogue.js'
import type { Brand } from './catalogue-schema.js'
import type { CompatibleBrand } from './compatible-brands.js'

/** A brand in responses. */
export interface BrandView {
  readonly id: string
  readonly name: string
  readonly kind: 'built_in' | 'compatible'
  readonly enabled: boolean
  /** Why it is not enabled. */
  readonly reason?: string
  readonly adapter?: string
  readonly protocols: readonly string[]
  readonly authentication: readonly string[]
  /** How people sign in with an account, if they can. */
  readonly sign_in?: 'device' | 'browser'
  readonly base_url?: string
  readonly requires_base_url: boolean
  readonly base_url_pattern?: string
  readonly key_variables: readonly string[]
  readonly documentation?: string
  readonly default_model?: string
}

/** The protocols of the active adapters, by adapter id. */
export type ActiveProtocols = ReadonlyMap<string, readonly string[]>

/** Built-in brands in the order of discovery, then the compatible ones by id. */
export function listBrands(catalogue: Catalogue, active: ActiveProtocols): readonly BrandView[] {
  return [
    ...catalogue.brands.map((brand) => viewOfBuiltIn(brand, active)),
    ...catalogue.compatibleBrands().map((brand) => viewOfCompatible(brand, active)),
  ]
}

function viewOfBuiltIn(brand: Brand, active: ActiveProtocols): BrandView {
  return {
    ...viewOf(brand, active),
    kind: 'built_in',
    key_variables: brand.discovery?.api_key ?? [],
    ...(brand.default_model !== undefined && { default_model: brand.default_model }),
  }
}

function viewOfCompatible(compatible: CompatibleBrand, active: ActiveProtocols): BrandView {
  const { entry } = compatible
  const own = {
    kind: 'compatible' as const,
    key_variables: entry.key_variable === undefined ? [] : [entry.key_variable],
    ...(entry.documentation !== undefined && { documentation: entry.documentation }),
    ...(entry.base_url_pattern !== undefined && { base_url_pattern: entry.base_url_pattern }),
  }
  if ('brand' in compatible) return { ...viewOf(compatible.brand, active), ...own }
  return {
    id: entry.id,
    name: entry.name,
    enabled: false,
    reason: sentence(compatible.refused),
    protocols: entry.protocols,
    authentication: entry.authentication,
    ...(entry.base_url !== undefined && { base_url: entry.base_url }),
    requires_base_url: entry.requires_base_url === true,
    ...own,
  }
}

/** The members that built-in and compatible brands share. */
function viewOf(brand: Brand, active: ActiveProtocols): Omit<BrandView, 'kind' | 'key_variables'> {
  const spoken = active.get(brand.adapter) ?? []
  const protocols = [brand.default_protocol, ...brand.protocols.filter((name) => name !== brand.default_protocol)]
  const reason = protocols.some((name) => spoken.includes(name))
    ? undefined
    : `no active plugin speaks ${protocols.join(' or ')} (${brand.adapter})`
  return {
    id: brand.id,
    name: brand.name,
    enabled: reason === undefined,
    ...(reason !== undefined && { reason: sentence(reason) }),
    adapter: brand.adapter,
    protocols,
    authentication: brand.authentication,
    ...(brand.sign_in && { sign_in: brand.sign_in.kind }),
    ...(brand.base_url !== undefined && { base_url: brand.base_url }),
    requires_base_url: brand.requires_base_url === true,
  }
}

const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`
