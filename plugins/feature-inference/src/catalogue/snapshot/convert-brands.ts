import type { CompatibleBrandEntry, CompatibleBrandsFile } from '../catalogue-schema.js'
import { membersOf, providerOf, type SourceProvider } from './source.js'

/**
 * The protocols of the source's client packages; the first is the default. Any other package counts
 * as a protocol of its own name.
 */
const protocolsByPackage: Readonly<Record<string, readonly string[]>> = {
  '@ai-sdk/openai-compatible': ['completions'],
  '@ai-sdk/openai': ['responses', 'completions'],
  '@ai-sdk/anthropic': ['anthropic-messages'],
  '@ai-sdk/google': ['google-generate-content'],
  '@ai-sdk/cohere': ['cohere-chat'],
  '@ai-sdk/amazon-bedrock': ['amazon-bedrock-converse'],
}

/** The providers of the source that are not built-in brands, by id. */
export function convertBrands(source: unknown, version: string, builtIn: ReadonlySet<string>): CompatibleBrandsFile {
  const brands = Object.entries(membersOf(source))
    .filter(([id]) => /^[a-z0-9][a-z0-9._-]{1,63}$/.test(id) && !builtIn.has(id))
    .flatMap(([id, value]) => {
      const provider = providerOf(value)
      return provider ? [convertBrand(id, provider)] : []
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  return { version, brands }
}

function convertBrand(id: string, provider: SourceProvider): CompatibleBrandEntry {
  const keyVariable = provider.env.find((name) => /(KEY|TOKEN|PAT)$/.test(name))
  const known = Object.hasOwn(protocolsByPackage, provider.npm) ? protocolsByPackage[provider.npm] : undefined
  return {
    id,
    name: provider.name,
    ...(isAddress(provider.documentation) && { documentation: provider.documentation }),
    ...addressOf(provider.api),
    protocols: [...(known ?? [provider.npm])],
    authentication: authenticationOf(provider, keyVariable),
    ...(keyVariable !== undefined && { key_variable: keyVariable }),
  }
}

const isAddress = (text: string | undefined): text is string => text !== undefined && /^https?:\/\/[^\s]+$/.test(text)

/** An address that contains variables is a pattern: every customer has their own address. */
function addressOf(address: string | undefined): Partial<CompatibleBrandEntry> {
  if (address === undefined) return { requires_base_url: true }
  if (address.includes('${')) return { requires_base_url: true, base_url_pattern: address }
  const base = address.replace(/\/+$/, '')
  return isAddress(base) ? { base_url: base } : { requires_base_url: true }
}

/**
 * Most take a key. Local ones work without one. Those without a key variable authenticate in
 * another way.
 */
function authenticationOf({ npm, api }: SourceProvider, keyVariable: string | undefined): string[] {
  if (npm === '@ai-sdk/amazon-bedrock') return ['api_key', 'aws']
  if (keyVariable === undefined) return [npm.includes('google-vertex') ? 'google_credentials' : 'other']
  return api !== undefined && /^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(api) ? ['none', 'api_key'] : ['api_key']
}
