import type { ProviderAdapter, ProviderProtocol } from '@agent-service/sdk/contracts/provider-adapter'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { Connection } from '../connections/connections.js'
import { defaultProtocol } from '../connections/default-protocol.js'
import type { Target } from './fallback-order.js'
import type { ConfiguredGroup } from './group-registry.js'

/**
 * The protocol of a call, or why there is none. `insteadOf` is the connection's default that the
 * adapter does not speak.
 */
export type ProtocolChoice = { readonly protocol: ProviderProtocol; readonly insteadOf?: string } | { readonly refused: string }

/**
 * The protocol that a group names, else the default of its connection and model, else the adapter's
 * first. Only the implicit group takes another protocol of its brand when the adapter does not
 * speak the default: in a configured group the operator chooses.
 */
export function chooseProtocol(
  { group, target }: { readonly group: ConfiguredGroup; readonly target: Target },
  connection: Connection,
  adapter: ProviderAdapter,
  {
    catalogue,
    ofAccount,
  }: {
    readonly catalogue: Catalogue
    /**
     * The only protocols that serve the connection's account, if they are restricted; the first is
     * the default.
     */
    readonly ofAccount?: readonly string[] | undefined
  },
): ProtocolChoice {
  const { settings, implicit } = target
  const written = settings.api ?? ofAccount?.[0] ?? defaultProtocol(connection, settings.model, catalogue) ?? adapter.protocols[0]?.id ?? ''
  const wanted = catalogue.protocol(written)?.id ?? written
  if (ofAccount && !ofAccount.includes(wanted))
    return {
      refused: `it asks for the protocol “${wanted}”, and the account that the connection “${connection.handle}” signs in with is served by ${ofAccount.join(' and ')} only. Remove “api” from models.${group.name}.`,
    }
  const protocol = spoken(adapter, wanted)
  if (protocol) return { protocol }
  const other = implicit
    ? connection.brand?.protocols.map((name) => spoken(adapter, name)).find((candidate) => candidate !== undefined)
    : undefined
  return other ? { protocol: other, insteadOf: wanted } : { refused: refusal({ group, target }, connection, adapter, wanted) }
}

const spoken = (adapter: ProviderAdapter, name: string): ProviderProtocol | undefined =>
  adapter.protocols.find((candidate) => candidate.id === name || candidate.aliases.includes(name))

function refusal(
  { group, target }: { readonly group: ConfiguredGroup; readonly target: Target },
  connection: Connection,
  adapter: ProviderAdapter,
  wanted: string,
): string {
  const settings = adapter.protocols.map(({ id }) => `“api: ${id}”`).join(' or ')
  const origin =
    target.settings.api === undefined
      ? `the connection “${connection.handle}” uses the protocol “${wanted}” by default`
      : `it asks for the protocol “${wanted}”`
  return `${origin}, which is not available in this version. Set ${settings} in models.${group.name}.`
}
