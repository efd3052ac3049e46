import type { SearchConnection, SearchProvider } from '@agent-service/sdk/contracts/search-provider'
import { builtInOptions } from '../common/built-in-options.js'

/** What the choice depends on, as it is now. */
export interface ChoiceFacts {
  /** `search.provider`. */
  readonly configured: string | undefined
  /** `search.selfhosted_base_url`. */
  readonly baseUrl: string | undefined
  /** The providers of the plugins that run. */
  readonly providers: readonly SearchProvider[]
  /** The value of a variable of the service's environment; undefined if it is not set. */
  readonly variable: (name: string) => string | undefined
}

/** A provider that can be used, or the reason why none can. */
export type ProviderChoice =
  | { readonly available: true; readonly id: string; readonly title: string; readonly connection: SearchConnection }
  | { readonly available: false; readonly id: string | undefined; readonly title: string | undefined; readonly reason: string }

/** Variables of the service itself, which no provider gets, whatever it names. */
const ownVariable = /^SERVICE_/

/**
 * The provider that searches go to. A configured one is never replaced: without its key or address there
 * is no web search. If none is configured, it is the first of Tavily and Brave Search whose key is set,
 * then SearXNG if its address is set; a provider of a third party is used only where it is configured.
 */
export function chooseProvider(facts: ChoiceFacts): ProviderChoice {
  const id = facts.configured ?? firstOption(facts)
  if (id !== undefined) return examineProvider(id, facts)
  const reason = `none of ${builtInOptions.map(({ variable }) => variable ?? 'search.selfhosted_base_url').join(', ')} is set`
  return { available: false, id: undefined, title: undefined, reason }
}

const firstOption = (facts: ChoiceFacts): string | undefined =>
  builtInOptions.find(({ variable }) => (variable === undefined ? facts.baseUrl : facts.variable(variable)) !== undefined)?.id

/** Whether one provider can be used, and if not, why. */
export function examineProvider(id: string, { providers, variable, baseUrl }: ChoiceFacts): ProviderChoice {
  const option = builtInOptions.find((each) => each.id === id)
  const provider = providers.find((each) => each.id === id)
  const title = provider?.title ?? option?.title
  const missing = (reason: string): ProviderChoice => ({ available: false, id, title, reason })

  const needed = provider?.keyVariable ?? option?.variable
  if (needed !== undefined && ownVariable.test(needed)) return missing(`${title} asks for ${needed}, a variable of the service itself`)
  const apiKey = needed === undefined ? undefined : variable(needed)
  if (needed !== undefined && apiKey === undefined) return missing(`${title} needs the variable ${needed}, which is not set`)
  const isSelfHosted = provider === undefined ? option !== undefined && option.variable === undefined : provider.selfHosted === true
  if (isSelfHosted && baseUrl === undefined) return missing(`${title} needs search.selfhosted_base_url, which is not set`)
  if (provider === undefined)
    return missing(option ? `the plugin ${option.plugin} does not run` : `no plugin that runs has the provider “${id}”`)
  const connection = {
    ...(apiKey !== undefined && { apiKey }),
    ...(isSelfHosted && baseUrl !== undefined && { baseUrl: baseUrl.replace(/\/+$/, '') }),
  }
  return { available: true, id, title: provider.title, connection }
}
