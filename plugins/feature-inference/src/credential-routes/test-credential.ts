import { type ModelRequest, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { credentialUnusableError } from '@agent-service/sdk/services/inference'
import type { Secrets } from '@agent-service/sdk/services/secrets'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { TargetSettings } from '../configuration/models-section.js'
import type { Connection, Connections } from '../connections/connections.js'
import { defaultProtocol } from '../connections/default-protocol.js'
import { resolveConnection } from '../connections/resolve-connection.js'
import { type CredentialAccess, type CredentialKeeper, isAuthenticationFailure } from '../credentials/credential-keeper.js'
import { credentialUntestableError } from '../credentials/errors.js'
import type { ManagedCredential } from '../credentials/managed-credential.js'
import { protocolsOfAccount } from '../credentials/protocols-of-account.js'
import { callOnce, probeAnswerTokens, probeMessages, probeTimeouts } from '../probes/call-once.js'
import { acquireAdapter } from '../targets/acquire-adapter.js'
import type { GroupRegistry } from '../targets/group-registry.js'

/** The result of a test. */
export interface CredentialCheck {
  readonly ok: boolean
  /** One sentence for people. */
  readonly message: string
}

/** Tests whether a credential works. */
export type TestCredential = (credential: ManagedCredential, options: { readonly signal: AbortSignal }) => Promise<CredentialCheck>

/**
 * The test is the smallest model call, cancelled as soon as the answer begins. It goes through the
 * first connection that uses the credential, to a model that a group calls there; without one
 * through the brand of the catalogue. Its usage is not recorded.
 * @throws `credential_untestable` if there is no model or no address to call.
 */
export function createTestCredential(dependencies: {
  readonly catalogue: Catalogue
  readonly connections: Connections
  readonly groups: GroupRegistry
  readonly contributions: Contributions
  readonly secrets: Secrets
  readonly keeper: CredentialKeeper
}): TestCredential {
  const { catalogue, connections, groups, contributions, secrets, keeper } = dependencies

  /** `undefined` if a model answers, else the failure. */
  const callWith = async (connection: Connection, model: string, access: CredentialAccess, signal: AbortSignal): Promise<unknown> => {
    const lease = acquireAdapter(connection, contributions)
    if (!lease) throw untestable(`no active plugin contributes the adapter “${connection.adapter ?? ''}” of its brand.`)
    const protocol = protocolOf(connection, model, access, catalogue) ?? lease.value.protocols[0]?.id ?? ''
    const prepare = (): ModelRequest => ({
      connection: resolveConnection(connection, secrets, access),
      protocol,
      model,
      messages: probeMessages,
      tools: [],
      settings: { max_tokens: probeAnswerTokens },
      extraParams: {},
      stream: lease.value.supports.streaming,
      timeouts: probeTimeouts,
    })
    return callOnce(lease, prepare, signal)
  }

  return async (credential, { signal }) => {
    const connection = connectionFor(credential, { connections, catalogue })
    const model = modelFor(connection, { groups, connections, catalogue })
    if (model === undefined) throw untestable('no model group names a model of its connection, and the catalogue lists none for its brand.')
    try {
      const access = await keeper.open(connection, { signal })
      let failure = await callWith(connection, model, access, signal)
      if (isAuthenticationFailure(failure) && (await keeper.renew(connection, access, { signal })))
        failure = await callWith(connection, model, await keeper.open(connection, { signal }), signal)
      if (failure === undefined) return { ok: true, message: `The model ${model} answered.` }
      return { ok: false, message: withoutSecret(reasonOf(failure, model), access.secret) }
    } catch (error) {
      if (credentialUnusableError.isInstance(error)) return { ok: false, message: error.message }
      throw error
    }
  }
}

const untestable = (reason: string): Error => credentialUntestableError.create({ reason })

/**
 * The first enabled connection that uses the credential, else the first, else its brand in the
 * catalogue.
 */
function connectionFor(
  { id, brand: name }: ManagedCredential,
  { connections, catalogue }: { readonly connections: Connections; readonly catalogue: Catalogue },
): Connection {
  const users = connectionsUsing(id, connections)
  const used = users.find(({ settings }) => settings.enabled) ?? users[0]
  if (used) return used
  const compatible = catalogue.compatibleBrand(name)
  const brand = catalogue.brand(name) ?? (compatible && 'brand' in compatible ? compatible.brand : undefined)
  if (brand?.base_url === undefined) throw untestable('no connection uses it, and its brand has no default address.')
  const settings = { enabled: true, credential_id: id }
  return { handle: name, settings, brand, brandName: name, adapter: brand.adapter, discovered: false }
}

/** The connections of the running configuration that name a credential. */
export const connectionsUsing = (id: string, { configured }: Connections): readonly Connection[] =>
  configured.filter(({ settings }) => settings.credential_id?.toLowerCase() === id)

function modelFor(
  connection: Connection,
  { groups, connections, catalogue }: { readonly groups: GroupRegistry; readonly connections: Connections; readonly catalogue: Catalogue },
): string | undefined {
  const targets = groups.list().flatMap(({ name }) => targetsIn(groups.find(name)?.settings))
  return (
    targets.find(({ provider }) => connections.find(provider)?.handle === connection.handle)?.model ??
    connection.brand?.default_model ??
    catalogue.models().find(({ brand }) => brand === connection.brandName)?.id
  )
}

const targetsIn = (settings: TargetSettings | undefined): readonly TargetSettings[] =>
  settings ? [settings, ...(settings.fallbacks ?? []).flatMap(targetsIn)] : []

const protocolOf = (connection: Connection, model: string, access: CredentialAccess, catalogue: Catalogue): string | undefined =>
  protocolsOfAccount(connection, access)?.[0] ?? defaultProtocol(connection, model, catalogue)

function reasonOf(error: unknown, model: string): string {
  if (!providerError.isInstance(error)) return `The call to ${model} failed unexpectedly.`
  const { failure, reason, httpStatus } = error.details as {
    readonly failure: string
    readonly reason: string
    readonly httpStatus?: number
  }
  return `The call to ${model} failed (${failure}${httpStatus === undefined ? '' : `, HTTP ${httpStatus}`}): ${reason}`
}

/** Adapters keep keys out of their errors; this does not rely on it. */
const withoutSecret = (text: string, secret: string): string => (secret === '' ? text : text.replaceAll(secret, '[redacted]'))
