import { searchProviders } from '@agent-service/sdk/contracts/search-provider'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Secrets } from '@agent-service/sdk/services/secrets'
import { builtInOptions } from '../common/built-in-options.js'
import type { SearchSettings } from '../common/search-section.js'
import { type ChoiceFacts, chooseProvider, examineProvider, type ProviderChoice } from './choose-provider.js'

/** What can be searched with, as it is now. */
export interface ProviderSelection {
  /** The provider that searches go to. */
  choose(): ProviderChoice
  /** Every provider that could be configured, by id. */
  list(): readonly ProviderChoice[]
}

/** Keys come from the environment of the service, each time, and are kept out of every log. */
export function createProviderSelection(dependencies: {
  readonly settings: SearchSettings
  readonly contributions: Pick<Contributions, 'list'>
  readonly secrets: Pick<Secrets, 'resolve'>
}): ProviderSelection {
  const { settings, contributions, secrets } = dependencies
  const facts = (): ChoiceFacts => ({
    configured: settings.provider,
    baseUrl: settings.selfhosted_base_url,
    providers: contributions.list(searchProviders).map(({ value }) => value),
    variable(name) {
      const resolved = secrets.resolve(`\${${name}}`)
      return 'value' in resolved && resolved.value !== '' ? resolved.value : undefined
    },
  })
  return {
    choose: () => chooseProvider(facts()),
    list() {
      const now = facts()
      const ids = new Set([...builtInOptions.map(({ id }) => id), ...now.providers.map(({ id }) => id)])
      return [...ids].map((id) => examineProvider(id, now))
    },
  }
}
