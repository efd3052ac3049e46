import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import type { Connection } from '../connections/connections.js'
import { defaultProtocol } from '../connections/default-protocol.js'
import { resolveConnection } from '../connections/resolve-connection.js'
import { type CredentialAccess, isAuthenticationFailure } from '../credentials/credential-keeper.js'
import { protocolsOfAccount } from '../credentials/protocols-of-account.js'
import { acquireAdapter } from '../targets/acquire-adapter.js'
import { callOnce, probeAnswerTokens, probeMessages, probeTimeouts, probeTools } from './call-once.js'
import { type ListDependencies, type ListedOffer, listModelsOf } from './list-models.js'
import { type ProbeFailure, probeFailureOf } from './probe-failure.js'
import { takesTools } from './takes-tools.js'

/** The result of testing a connection. */
export interface ConnectionProbe {
  /** The model that was called, if one was. */
  readonly model?: string
  /** Absent if it answered. */
  readonly failure?: ProbeFailure
  /** Whether it takes tools. Absent: not known. */
  readonly tools?: boolean
}

/**
 * Asks for the models of a connection, then makes the smallest call of one: the wanted one, else
 * the default of the brand, else the first that answers in text. @throws the signal's reason.
 */
export async function probeConnection(
  connection: Connection,
  wanted: { readonly model?: string | undefined; readonly protocol?: string | undefined },
  dependencies: ListDependencies,
  signal: AbortSignal,
): Promise<ConnectionProbe> {
  const offer = await listModelsOf(connection, dependencies, signal)
  if ('failure' in offer && (wanted.model === undefined || offer.failure.kind !== 'bad_request')) return { failure: offer.failure }
  const model = wanted.model ?? ('models' in offer ? modelToCall(offer.models, connection.brand?.default_model) : undefined)
  if (model === undefined) return { failure: { kind: 'no_models', message: 'The provider answers, but offers no model.' } }
  const call = (tools: ModelRequest['tools']) => callModelOf(connection, { model, protocol: wanted.protocol, tools }, dependencies, signal)
  const { failure } = await call([])
  if (failure) return { model, failure }
  const offered = 'models' in offer ? offer.models.find(({ id }) => id === model) : undefined
  const tools = await takesTools(offered, async () => (await call(probeTools)).error)
  return { model, ...(tools !== undefined && { tools }) }
}

function modelToCall(models: readonly ListedOffer[], preferred: string | undefined): string | undefined {
  if (preferred !== undefined && models.some(({ id }) => id === preferred)) return preferred
  return (models.find(({ answers, known }) => answers ?? known !== undefined) ?? models.find(({ answers }) => answers !== false))?.id
}

/** Calls a model once; empty if it answers. @throws the signal's reason. */
async function callModelOf(
  connection: Connection,
  { model, protocol, tools }: { readonly model: string; readonly protocol?: string | undefined; readonly tools: ModelRequest['tools'] },
  { catalogue, contributions, secrets, keeper }: ListDependencies,
  signal: AbortSignal,
): Promise<{ readonly failure?: ProbeFailure; readonly error?: unknown }> {
  let secret: string | undefined
  const call = async (access: CredentialAccess | undefined): Promise<unknown> => {
    const lease = acquireAdapter(connection, contributions)
    if (!lease) throw new Error('The adapter was stopped meanwhile.')
    const spoken = protocol ?? protocolsOfAccount(connection, access)?.[0] ?? defaultProtocol(connection, model, catalogue)
    const prepare = (): ModelRequest => {
      const resolved = resolveConnection(connection, secrets, access)
      secret = resolved.apiKey
      return {
        connection: resolved,
        protocol: catalogue.protocol(spoken ?? '')?.id ?? spoken ?? lease.value.protocols[0]?.id ?? '',
        model,
        messages: probeMessages,
        tools,
        settings: { max_tokens: probeAnswerTokens },
        extraParams: {},
        stream: lease.value.supports.streaming,
        timeouts: probeTimeouts,
      }
    }
    return callOnce(lease, prepare, signal)
  }
  try {
    const access = connection.settings.credential_id === undefined ? undefined : await keeper.open(connection, { signal })
    let failure = await call(access)
    if (access && isAuthenticationFailure(failure) && (await keeper.renew(connection, access, { signal })))
      failure = await call(await keeper.open(connection, { signal }))
    return failure === undefined ? {} : { failure: probeFailureOf(failure, secret), error: failure }
  } catch (error) {
    signal.throwIfAborted()
    return { failure: probeFailureOf(error, secret), error }
  }
}
