import { ServiceError } from '@agent-service/sdk'
import {
  type AnswerFallback,
  callInterruptedError,
  type Inference,
  type InferenceEvent,
  type InferenceRequest,
  modelGroupUnknownError,
  requestUnsupportedError,
} from '@agent-service/sdk/services/inference'
import type { CallRecord } from '../common/call-record.js'
import { failureOf } from '../common/failure-of.js'
import { type Target, targetsOf } from '../targets/fallback-order.js'
import type { ConfiguredGroup, GroupRegistry } from '../targets/group-registry.js'
import { targetKey } from '../targets/target-key.js'
import { unsupportedTarget } from '../targets/unsupported-target.js'
import { type InferenceTrace, traceInference } from '../traces/trace-inference.js'
import { answerFallback } from './answer-fallback.js'
import { attemptFailure, connectionHeldFailure, mayFallBack, skippedFailure, unfinished } from './attempt-failure.js'
import { callOf, type InferenceDependencies, recordFailure, renewAccess, tryToResolve } from './attempts.js'
import { createRetryPlan, namingWait } from './backoff.js'
import { embed, embeds } from './embed.js'
import { joinSignals } from './join-signals.js'
import { lostCallRecords } from './lost-calls.js'
import { openOmissions } from './omissions/omissions.js'
import { createEventRefiner } from './refine-events.js'
import { withUsageSoFar } from './unfinished-usage.js'
import { watchCall } from './watch-call.js'

/**
 * The one way to call a model: groups, connections, retries, fallbacks. Of a call it keeps only the
 * vendor's rate limits.
 */
export function createInference(dependencies: InferenceDependencies): Inference {
  return {
    limits: dependencies.limits,
    groups: () => dependencies.groups.list().map((group) => (embeds(group, dependencies) ? { ...group, embeds: true } : group)),
    infer: (request, { signal }) =>
      dependencies.telemetry
        ? traceInference(dependencies.telemetry, request, signal, (trace) => infer(request, signal, dependencies, trace))
        : infer(request, signal, dependencies),
    countTokens: dependencies.countTokens,
    embed: (request, { signal }) => embed(request, signal, dependencies),
  }
}

/**
 * Tries the models of a group in order, each as often as the group's `retry` allows. The output of
 * an attempt is void once another begins. One generator, so that an event takes one step.
 */
async function* infer(
  request: InferenceRequest,
  signal: AbortSignal,
  dependencies: InferenceDependencies,
  trace?: InferenceTrace,
): AsyncGenerator<InferenceEvent, void, undefined> {
  signal.throwIfAborted()
  const { admission, breaker, gate, clock, log, random } = dependencies
  const settling = dependencies.adaptersSettled(signal)
  if (settling) await settling
  const group = pickGroup(request.group, dependencies.groups)
  let fallback: AnswerFallback | undefined
  if (group.name !== request.group) {
    fallback = { reason: 'model_group_unknown', wanted: request.group, used: group.name }
    yield { type: 'group.substituted', wanted: request.group, used: group.name }
  }
  const targets = targetsOf(group, dependencies.connections)
  if (request.lostCalls) await accountLostCalls(request, { group, target: targets[0] }, dependencies, signal)
  await dependencies.admission.check(request.attribution)
  const mayRestart = request.restarts !== 'never'
  let attempt = 0
  /** Why the target before was given up. */
  let before: ServiceError | undefined
  for (const [position, target] of targets.entries()) {
    const { provider, model } = target.settings
    const next = targets[position + 1]
    const key = targetKey(target.settings)
    let failure: ServiceError
    let shown = false
    /** The vendor refused the account's tokens and they were renewed, which happens once. */
    let renewed = false
    const plan = createRetryPlan(group.settings.retry, random)
    const isLastResort = next === undefined && (before === undefined || requestUnsupportedError.isInstance(before))
    const omissions = await openOmissions(request, { key, provider, model }, dependencies)
    if (omissions.known) yield omissions.known
    /** What is left out of a request takes none of them. */
    let retries = 0
    for (;;) {
      if (next && breaker.skips(provider)) {
        const unsupported = unsupportedTarget({ group, target, request }, dependencies)
        const isOtherLeft = targets.slice(position + 1).some((other) => !unsupportedTarget({ group, target: other, request }, dependencies))
        if (unsupported || isOtherLeft) {
          failure = unsupported ?? skippedFailure(provider, model)
          break
        }
      }
      let held = gate.enter(key)
      while (held > 0 && held <= group.settings.retry.max_backoff_ms) {
        yield { type: 'attempt.delayed', delay_ms: Math.ceil(held), provider, model }
        await clock.wait(Math.ceil(held * (1 + 0.1 * random())), { signal })
        held = gate.enter(key)
      }
      if (held > 0) {
        failure = namingWait(connectionHeldFailure(provider, model, held), group)
        break
      }
      const asked = omissions.request()
      const release = await admission.enter(
        { group, target, request: asked, messages: asked.messages, tools: asked.tools },
        request.attribution,
        signal,
      )
      // Key and adapter are looked up for each attempt: both may change during a wait.
      const resolved = await tryToResolve({ group, target, request: asked, isLastResort }, dependencies, signal).catch(releasing(release))
      if (ServiceError.isInstance(resolved)) {
        release()
        failure = resolved
        const reduced = isLastResort ? omissions.after(resolved) : undefined
        if (!reduced) break
        yield reduced
        continue
      }
      attempt += 1
      const joined = joinSignals(signal, resolved.lease.signal)
      const watch = watchCall(callOf(request, group, target, retries, resolved), clock)
      const endSpan = trace?.call(resolved.request)
      let record: CallRecord | undefined
      let isAccounted = false
      /** Records the usage of the call, then releases its reservation. */
      const account = (ended: CallRecord): void => {
        if (isAccounted) return
        isAccounted = true
        dependencies.onCall(ended)
        release()
      }
      try {
        yield { type: 'attempt.started', attempt, provider: resolved.request.connection.handle, model, fallback: target.index }
        const refine = createEventRefiner(resolved)
        for await (const given of resolved.lease.value.call(resolved.request, { signal: joined.signal })) {
          for (const event of refine(given)) {
            watch.see(event)
            if (event.type === 'response.started' && event.rate_limits) gate.learn(key, event.rate_limits)
            // Before the last event is yielded: the consumer may not come back.
            if (event.type === 'response.finished') {
              breaker.recordSuccess(provider)
              record = watch.end('completed')
              account(record)
              await omissions.settle()
              yield fallback ? { ...event, fallback } : event
              return
            }
            yield event
          }
        }
        failure = unfinished(resolved)
      } catch (error) {
        failure = attemptFailure(resolved, error)
        record = signal.aborted ? watch.end('cancelled') : watch.end('failed', failureOf(failure).failure)
      } finally {
        joined.release()
        resolved.lease.release()
        const ended = record ?? watch.end('cancelled')
        const { messages, tools } = asked
        const isRepeated = callInterruptedError.isInstance(signal.reason)
        const counted = isRepeated
          ? ended
          : await withUsageSoFar({ record: ended, messages, tools, shown: watch.shownText() }, dependencies.countTokens)
        endSpan?.(counted)
        account(counted)
      }
      signal.throwIfAborted()
      shown ||= watch.shown
      if (!shown && !renewed && (await renewAccess(resolved, failure, dependencies, signal))) {
        renewed = true
        retries += 1
        yield { type: 'attempt.retrying', attempt, delay_ms: 0, ...failureOf(failure) }
        continue
      }
      const reduced = shown ? undefined : omissions.after(failure)
      if (reduced) {
        const { type: _, ...said } = reduced
        log.warn('A vendor refused a part of a request; the call is made again without it.', { group: group.name, ...said })
        yield reduced
        continue
      }
      recordFailure(failure, { provider, key, breaker, gate })
      const delay = shown && !mayRestart ? undefined : plan.delayAfter(failure, retries)
      if (delay === undefined) {
        failure = namingWait(failure, group)
        break
      }
      log.warn('A model call failed and will be retried.', { group: group.name, attempt, delay_ms: delay, ...failureOf(failure) })
      const max_attempts = attempt + group.settings.retry.max_retries - retries
      yield { type: 'attempt.retrying', attempt, max_attempts, delay_ms: delay, ...failureOf(failure) }
      await clock.wait(delay, { signal })
      retries += 1
    }
    // A fallback that cannot carry the request says nothing about the failure before it.
    const decisive = before && requestUnsupportedError.isInstance(failure) ? before : failure
    if (!next || !mayFallBack(failure) || (shown && !mayRestart)) throw decisive
    before = decisive
    log.warn('A model failed; the next one is called.', { group: group.name, provider, model, ...failureOf(failure) })
    fallback = answerFallback(fallback, { target, next, failure })
    yield {
      type: 'attempt.fallback',
      attempt,
      provider,
      model,
      next: { provider: next.settings.provider, model: next.settings.model },
      ...failureOf(failure),
    }
  }
}

/** Releases a reservation when the call could not start. */
const releasing =
  (release: () => void) =>
  (error: unknown): never => {
    release()
    throw error
  }

/** Runs before the first attempt, so that lost calls count towards the budget. */
async function accountLostCalls(
  request: InferenceRequest,
  { group, target }: { readonly group: ConfiguredGroup; readonly target: Target | undefined },
  { catalogue, connections, clock, countTokens, onLostCalls }: InferenceDependencies,
  signal: AbortSignal,
): Promise<void> {
  if (!target) return
  const records = await lostCallRecords(request, { group, target }, { catalogue, connections, countTokens, now: clock.now(), signal })
  if (records.length > 0) await onLostCalls(records)
}

function pickGroup(name: string, groups: GroupRegistry): ConfiguredGroup {
  const group = groups.find(name) ?? groups.primary
  if (group) return group
  throw modelGroupUnknownError.create({ group: name, known: groups.list().map((known) => known.name) })
}
