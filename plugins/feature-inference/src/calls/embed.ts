import { ServiceError } from '@agent-service/sdk'
import {
  type EmbeddingRequest,
  type EmbeddingResult,
  type ProviderAdapter,
  providerAdapters,
} from '@agent-service/sdk/contracts/provider-adapter'
import { type Embedding, type EmbedRequest, embeddingUnavailableError, type ModelGroup } from '@agent-service/sdk/services/inference'
import { failureOf } from '../common/failure-of.js'
import { type Target, targetsOf } from '../targets/fallback-order.js'
import type { ConfiguredGroup } from '../targets/group-registry.js'
import type { ResolvedTarget } from '../targets/resolve-target.js'
import { targetKey } from '../targets/target-key.js'
import { attemptFailure, connectionHeldFailure, mayFallBack, skippedFailure } from './attempt-failure.js'
import { callOf, type InferenceDependencies, recordFailure, renewAccess, tryToResolve } from './attempts.js'
import { createRetryPlan } from './backoff.js'
import type { PlannedCall } from './estimate-call.js'
import { joinSignals } from './join-signals.js'
import { watchCall } from './watch-call.js'

/** The group whose vectors the service itself uses. */
const embeddingGroup = 'embedding'

/** The outcome of one target. */
type Outcome = { readonly result: EmbeddingResult; readonly provider: string } | { readonly failure: ServiceError }

/**
 * Embeds texts with the models of a group in order, each retried as the group's `retry` allows.
 * Vectors of different models cannot be compared, so only fallbacks that name the same model as the
 * group are called.
 */
export async function embed(request: EmbedRequest, signal: AbortSignal, dependencies: InferenceDependencies): Promise<Embedding> {
  signal.throwIfAborted()
  await dependencies.adaptersSettled(signal)
  const { group: name = embeddingGroup } = request
  const group = dependencies.groups.find(name)
  if (!group) throw embeddingUnavailableError.create({ group: name, reason: `the group does not exist. Configure models.${name}.` })
  await dependencies.admission.check(request.attribution)
  const { model } = group.settings
  const targets = targetsOf(group, dependencies.connections).filter(({ settings }) => settings.model === model)
  let failure: ServiceError | undefined
  for (const [position, target] of targets.entries()) {
    const hasNext = position + 1 < targets.length
    const outcome = await embedByTarget({ request, group, target, hasNext }, dependencies, signal)
    if ('result' in outcome) {
      const { vectors, model: answered, usage } = outcome.result
      return { vectors, model: answered, provider: outcome.provider, space: `${model}/${vectors[0]?.length ?? 0}`, usage }
    }
    failure = outcome.failure
    if (!mayFallBack(failure)) break
    if (hasNext)
      dependencies.log.warn('A model failed; the same model is called on another connection.', { group: name, ...failureOf(failure) })
  }
  throw failure ?? embeddingUnavailableError.create({ group: name, reason: 'none of its connections is enabled.' })
}

interface Attempted {
  readonly request: EmbedRequest
  readonly group: ConfiguredGroup
  readonly target: Target
  readonly hasNext: boolean
}

/** Calls one target, with retries. @throws the signal's reason, `embedding_unavailable`. */
async function embedByTarget(attempted: Attempted, dependencies: InferenceDependencies, signal: AbortSignal): Promise<Outcome> {
  const { request, group, target, hasNext } = attempted
  const { breaker, gate, clock, log, random } = dependencies
  const { provider, model } = target.settings
  const key = targetKey(target.settings)
  let renewed = false
  const plan = createRetryPlan(group.settings.retry, random)
  for (let retries = 0; ; retries += 1) {
    if (hasNext && breaker.skips(provider)) return { failure: skippedFailure(provider, model) }
    let held = gate.enter(key)
    while (held > 0 && held <= group.settings.retry.max_backoff_ms) {
      await clock.wait(Math.ceil(held * (1 + 0.1 * random())), { signal })
      held = gate.enter(key)
    }
    if (held > 0) return { failure: connectionHeldFailure(provider, model, held) }
    const call = { group: group.name, messages: [], tools: [], ...(request.attribution && { attribution: request.attribution }) }
    const release = await dependencies.admission.enter(plannedCall(attempted), request.attribution, signal)
    let outcome: Outcome
    let resolved: Awaited<ReturnType<typeof tryToResolve>>
    try {
      resolved = await tryToResolve({ group, target, request: call }, dependencies, signal)
      if (ServiceError.isInstance(resolved)) return { failure: resolved }
      outcome = await callOnce({ ...attempted, resolved, retries }, dependencies, signal)
    } finally {
      release()
    }
    if ('result' in outcome) {
      breaker.recordSuccess(provider)
      return outcome
    }
    const { failure } = outcome
    if (!renewed && (await renewAccess(resolved, failure, dependencies, signal))) {
      renewed = true
      continue
    }
    recordFailure(failure, { provider, key, breaker, gate })
    const delay = plan.delayAfter(failure, retries)
    if (delay === undefined) return { failure }
    log.warn('An embedding call failed and will be retried.', { group: group.name, delay_ms: delay, ...failureOf(failure) })
    await clock.wait(delay, { signal })
  }
}

const plannedCall = ({ request, group, target }: Attempted): PlannedCall => ({
  ...{ group, target, request: {}, tools: [], isEmbedding: true },
  messages: [{ role: 'user', content: request.inputs.map((text) => ({ type: 'text', text })) }],
})

/** One attempt. It is recorded however it ends, and the lease is released. */
async function callOnce(
  { request, group, target, resolved, retries }: Attempted & { readonly resolved: ResolvedTarget; readonly retries: number },
  { clock, onCall }: InferenceDependencies,
  signal: AbortSignal,
): Promise<Outcome> {
  const { lease } = resolved
  const joined = joinSignals(signal, lease.signal)
  try {
    const own = embedOf(lease.value, group)
    const watch = watchCall(callOf(request, group, target, retries, resolved), clock)
    try {
      const result = await own(requestFor(request, resolved), { signal: joined.signal })
      watch.see({ type: 'response.started', model: result.model })
      watch.see({ type: 'response.finished', content: [], stop_reason: 'stop', usage: usageOf(result) })
      onCall(watch.end('completed'))
      return { result, provider: resolved.request.connection.handle }
    } catch (error) {
      const failure = attemptFailure(resolved, error)
      onCall(signal.aborted ? watch.end('cancelled') : watch.end('failed', failureOf(failure).failure))
      signal.throwIfAborted()
      return { failure }
    }
  } finally {
    joined.release()
    lease.release()
  }
}

/**
 * Whether a group is for embeddings: it is the one that the service uses so, or its own model is an
 * embedding model, and the adapter makes them while its plugin runs. That an adapter can embed says
 * nothing of its models: most of them answer.
 */
export function embeds(
  { name, provider, model }: Pick<ModelGroup, 'name' | 'provider' | 'model'>,
  { catalogue, connections, contributions }: InferenceDependencies,
): boolean {
  const connection = connections.find(provider)
  if (connection?.adapter === undefined) return false
  const { adapter, brand } = connection
  if (name !== embeddingGroup && !catalogue.isEmbeddingModel(brand?.id, model)) return false
  return contributions
    .list(providerAdapters)
    .some(({ key, value }) => (key === adapter || value.name === adapter) && value.supports.embed === true)
}

/** The adapter's `embed`, bound. @throws `embedding_unavailable`. */
function embedOf(adapter: ProviderAdapter, { name, settings }: ConfiguredGroup): NonNullable<ProviderAdapter['embed']> {
  if (adapter.supports.embed === true && adapter.embed) return adapter.embed.bind(adapter)
  const reason = `the adapter “${adapter.name}” of the connection “${settings.provider}” does not support embeddings. Set models.${name} to a model of another adapter.`
  throw embeddingUnavailableError.create({ group: name, reason })
}

const requestFor = ({ inputs, purpose, dimensions }: EmbedRequest, { request }: ResolvedTarget): EmbeddingRequest => ({
  connection: request.connection,
  protocol: request.protocol,
  model: request.model,
  inputs,
  ...(purpose !== undefined && { purpose }),
  ...(dimensions !== undefined && { dimensions }),
  timeouts: request.timeouts,
})

const usageOf = ({ usage }: EmbeddingResult) => ({
  input_tokens: usage.input_tokens,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  ...(usage.estimated && { estimated: true as const }),
})
