import type { Logger, ServiceError } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import {
  type Inference,
  type InferenceEvent,
  type InferenceLimits,
  type InferenceRequest,
  modelGroupUnknownError,
} from '@agent-service/sdk/services/inference'
import { attemptFailure, showsSomething, unfinished } from './attempt-failure.js'
import { delayBeforeRetry, failureOf } from './backoff.js'
import type { ConfiguredGroup, GroupRegistry } from './group-registry.js'
import { joinSignals } from './join-signals.js'
import { resolveTarget, type TargetDependencies } from './resolve-target.js'

/** What the service is made of. */
export interface InferenceDependencies extends TargetDependencies {
  readonly groups: GroupRegistry
  readonly limits: InferenceLimits
  readonly clock: Clock
  readonly log: Logger
  /** 0 up to, not including, 1. */
  readonly random: () => number
}

/** The one way to call a model: groups, connections, retries. Keeps nothing between calls. */
export function createInference(dependencies: InferenceDependencies): Inference {
  return {
    limits: dependencies.limits,
    groups: () => dependencies.groups.list(),
    infer: (request, { signal }) => infer(request, signal, dependencies),
  }
}

/** Tries again as the group's `retry` says, only while nothing of an answer has been shown. One generator, so that an event takes one step. */
async function* infer(
  request: InferenceRequest,
  signal: AbortSignal,
  dependencies: InferenceDependencies,
): AsyncGenerator<InferenceEvent, void, undefined> {
  signal.throwIfAborted()
  const group = pickGroup(request.group, dependencies.groups)
  if (group.name !== request.group) yield { type: 'group.substituted', wanted: request.group, used: group.name }
  for (let attempt = 1; ; attempt += 1) {
    // The key and the adapter are looked up for each attempt: both may change while we wait.
    const target = resolveTarget(group, request, dependencies)
    const joined = joinSignals(signal, target.lease.signal)
    let shown = false
    let failure: ServiceError
    try {
      yield { type: 'attempt.started', attempt, provider: target.request.connection.handle, model: target.request.model }
      for await (const event of target.lease.value.call(target.request, { signal: joined.signal })) {
        shown ||= showsSomething(event)
        yield event
        if (event.type === 'response.finished') return
      }
      failure = unfinished(target)
    } catch (error) {
      failure = attemptFailure(target, error)
    } finally {
      joined.release()
      target.lease.release()
    }
    signal.throwIfAborted()
    const delay = shown ? undefined : delayBeforeRetry(failure, group.settings.retry, attempt - 1, dependencies.random)
    if (delay === undefined) throw failure
    yield retrying(group, attempt, delay, failure, dependencies.log)
    await dependencies.clock.wait(delay, { signal })
  }
}

function pickGroup(name: string, groups: GroupRegistry): ConfiguredGroup {
  const group = groups.find(name) ?? groups.primary
  if (group) return group
  throw modelGroupUnknownError.create({ group: name, known: groups.list().map((known) => known.name) })
}

function retrying(group: ConfiguredGroup, attempt: number, delay: number, error: ServiceError, log: Logger): InferenceEvent {
  const { failure, reason } = failureOf(error)
  log.warn('A model call failed and is tried again.', { group: group.name, attempt, delay_ms: delay, failure, reason })
  return { type: 'attempt.retrying', attempt, delay_ms: delay, failure, reason }
}
