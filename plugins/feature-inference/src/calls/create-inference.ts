import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Inference, InferenceEvent, InferenceLimits, InferenceRequest } from '@agent-service/sdk/services/inference'
import { modelGroupUnknownError } from '../errors.js'
import { callTarget, showsSomething } from './attempt.js'
import { delayBeforeRetry, failureOf } from './backoff.js'
import type { ConfiguredGroup, GroupRegistry } from './group-registry.js'
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

async function* infer(
  request: InferenceRequest,
  signal: AbortSignal,
  dependencies: InferenceDependencies,
): AsyncGenerator<InferenceEvent, void, undefined> {
  signal.throwIfAborted()
  const group = pickGroup(request.group, dependencies.groups)
  if (group.name !== request.group) yield { type: 'group.substituted', wanted: request.group, used: group.name }
  yield* attemptUntilAnswered(group, request, signal, dependencies)
}

function pickGroup(name: string, groups: GroupRegistry): ConfiguredGroup {
  const group = groups.find(name) ?? groups.primary
  if (group) return group
  throw modelGroupUnknownError.create({ group: name, known: groups.list().map((known) => known.name) })
}

/** Tries again as the group's `retry` says, only while nothing of an answer has been shown. */
async function* attemptUntilAnswered(
  group: ConfiguredGroup,
  request: InferenceRequest,
  signal: AbortSignal,
  dependencies: InferenceDependencies,
): AsyncGenerator<InferenceEvent, void, undefined> {
  for (let attempt = 1; ; attempt += 1) {
    // The key and the adapter are looked up for each attempt: both may change while we wait.
    const target = resolveTarget(group, request, dependencies)
    let shown = false
    try {
      yield { type: 'attempt.started', attempt, provider: target.request.connection.handle, model: target.request.model }
      for await (const event of callTarget(target, signal)) {
        shown ||= showsSomething(event)
        yield event
      }
      return
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const delay = shown ? undefined : delayBeforeRetry(error, group.settings.retry, attempt - 1, dependencies.random)
      if (delay === undefined) throw error
      const { failure, reason } = failureOf(error)
      dependencies.log.warn('A model call failed and is tried again.', { group: group.name, attempt, delay_ms: delay, failure, reason })
      yield { type: 'attempt.retrying', attempt, delay_ms: delay, failure, reason }
      await dependencies.clock.wait(delay, { signal })
    } finally {
      target.lease.release()
    }
  }
}
