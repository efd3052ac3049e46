import { pluginNotReadyError, type RecordedSetup, ServiceError } from '@agent-service/sdk'
import {
  boundedLines,
  createDisposableScope,
  createStoppingHooks,
  type DisposableScope,
  messageOf,
  type StoppingHooks,
} from '@agent-service/sdk/host'
import type { Admission } from '../contributions/contribution-registry.js'
import type { DiscoveredPlugin, ValidPlugin } from '../discover/discovered-plugin.js'
import { recordedSetupDiffersError } from '../plugin-errors.js'
import { type Offer, offerPlugin } from '../start/offer-plugin.js'
import type { PluginEnvironment, PluginSurroundings } from '../start/plugin-environment.js'
import type { PluginFault } from '../start/plugin-faults.js'
import type { ServiceRegistry } from '../start/service-registry.js'
import { type PluginStart, startOfferedPlugin, startPlugin } from '../start/start-plugin.js'
import { type Collision, collisionOf } from './plugin-collisions.js'
import { isUp, type PluginReport, type PluginState } from './plugin-report.js'

const maxReasonLength = 1_000

export type StartOutcome =
  | { readonly state: 'active' | 'ready' | 'stopped' }
  | {
      readonly state: 'failed'
      readonly collision?: Collision | undefined
      /** What it contributed is not what it offered: it may start without an offer. */
      readonly differs?: boolean
    }
  | { readonly state: 'retrying'; readonly retryAfterMs: number | undefined }

export type PluginInstance = ReturnType<typeof createPluginInstance>

/**
 * One plugin in one host: its state and the transitions between states. At first it is
 * `discovered`, or `invalid` for good.
 */
export function createPluginInstance(plugin: DiscoveredPlugin, environment: PluginEnvironment, services: ServiceRegistry) {
  const { clock, redactor, limits, faults: escaped } = environment
  const log = environment.log.child({ plugin: plugin.id })
  let state: PluginState = 'discovered'
  let reason: string | null = null
  let problems: readonly string[] = []
  let startedMs: number | null = null
  let links: ReadonlySet<string> = new Set()
  let scope: DisposableScope | undefined
  let stopping: StoppingHooks | undefined
  let announcing: Promise<readonly Error[]> | undefined
  let admission: Admission | undefined
  /** While it is ready, and while it runs behind its offer. */
  let offered: { readonly start: PluginStart; readonly offer: Offer } | undefined
  let faults = 0
  let lastFault: string | undefined
  let cancelled: string | undefined
  let underWay: Promise<StartOutcome> | undefined

  const move = (next: PluginState, why: string | null, cause?: unknown, quietly = false, lines?: readonly string[]): void => {
    const text = why === null ? null : redactor.text(why).slice(0, maxReasonLength)
    problems = boundedLines(lines ?? (why === null || isUp(next) ? [] : [why])).map((line) => redactor.text(line))
    if (next === state && text === reason) return
    state = next
    reason = text
    const fields = { state: next, ...(text === null ? {} : { reason: text }) }
    if (!quietly && ['failed', 'invalid', 'blocked', 'retrying'].includes(next))
      log.warn(`Plugin ${plugin.id} does not run: ${text ?? next}`, { state: next, ...(cause === undefined ? {} : { error: cause }) })
    else log.debug('Plugin changed its state', fields)
  }

  /** Undoes everything. Returns a description of what failed. */
  const undo = async (opened: DisposableScope, why: unknown): Promise<readonly Error[]> => {
    // As the plugin, because it runs the listeners of its signal.
    const errors = await escaped.run(plugin.id, () => opened.dispose(why))
    for (const error of errors) log.error('Undoing failed while the plugin stopped', { error })
    scope = undefined
    stopping = undefined
    announcing = undefined
    offered = undefined
    links = new Set()
    return errors
  }

  const stopReason = (): DOMException => new DOMException(`Plugin “${plugin.id}” is stopping.`, 'AbortError')
  const runHooks = async (hooks: StoppingHooks): Promise<readonly Error[]> => {
    const errors = await hooks.run(stopReason())
    for (const error of errors) log.error('The plugin failed while it prepared to stop', { error })
    return errors
  }
  /** The same promise for all callers: the errors are logged once. */
  const announce = (why: string | null): Promise<readonly Error[]> => {
    if (stopping === undefined) return Promise.resolve([])
    move('stopping', why)
    announcing ??= runHooks(stopping)
    return announcing
  }

  const marked = (): string => `it runs, but ${faults} error(s) escaped, the last as ${lastFault ?? 'an unknown error'}`
  const mark = ({ kind, error, place }: PluginFault): void => {
    const what = place === undefined ? 'An error of the plugin escaped' : 'A contribution of the plugin broke its contract'
    log.error(what, { kind, error, ...(place === undefined ? {} : { place }) })
    faults += 1
    lastFault = `${kind === 'broken contribution' ? 'a' : 'an'} ${kind}: ${messageOf(error)}`
    if (state === 'active') move('active', marked(), undefined, true)
  }

  const open = (valid: ValidPlugin, surroundings: PluginSurroundings | undefined): PluginStart => {
    const opened = createDisposableScope({ name: plugin.id, disposerLimitMs: limits.disposerMs })
    scope = opened
    stopping = createStoppingHooks(opened)
    faults = 0
    cancelled = undefined
    return { plugin: valid, environment, services, scope: opened, stopping, surroundings, onFault: mark }
  }

  /** Undoes a start that failed; the reason becomes the state. */
  const fail = async (start: PluginStart, error: unknown, again: boolean): Promise<StartOutcome> => {
    const left = describeLeft(await undo(start.scope, error))
    const why = [cancelled ?? messageOf(error), left].filter((text) => text !== undefined).join('; ')
    if (cancelled !== undefined) {
      move('stopped', why)
      return { state: 'stopped' }
    }
    if (pluginNotReadyError.isInstance(error)) {
      move('retrying', why, undefined, again)
      const { retryAfterMs } = error.details
      return { state: 'retrying', retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined }
    }
    move('failed', why, causeOf(error), false, [...linesOf(error), ...(left === undefined ? [] : [left])])
    return { state: 'failed', collision: collisionOf(error), differs: recordedSetupDiffersError.isInstance(error) }
  }

  const begin = async (usedPlugins: ReadonlySet<string>, surroundings: PluginSurroundings | undefined): Promise<StartOutcome> => {
    if (plugin.status === 'invalid') return { state: 'failed' }
    const again = state === 'retrying'
    const began = clock.monotonic()
    move('starting', null)
    links = usedPlugins
    const start = offered?.start ?? open(plugin, surroundings)
    try {
      if (offered === undefined) admission = await startPlugin(start)
      else await startOfferedPlugin(start, offered.offer)
      startedMs = Math.round(clock.monotonic() - began)
      move('active', faults === 0 ? null : marked())
      return { state: 'active' }
    } catch (error) {
      return fail(start, error, again)
    }
  }

  /** Cancels a start under way; `why` becomes the reason. Resolves when the start has ended. */
  const cancelStart = async (why: string): Promise<void> => {
    if (underWay === undefined) return
    cancelled = why
    const opened = scope
    void escaped.run(plugin.id, () => opened?.dispose(new DOMException(`The start of plugin “${plugin.id}” was cancelled.`, 'AbortError')))
    await underWay
  }

  if (plugin.status === 'invalid') move('invalid', plugin.reason, undefined, false, plugin.problems)

  return {
    plugin,
    state: (): PluginState => state,
    reason: (): string | null => reason,
    /** Ids of the plugins whose services it uses; empty while it does not run. */
    links: (): ReadonlySet<string> => links,
    holdings: (): readonly string[] => scope?.holdings() ?? [],
    report: (): PluginReport => ({
      id: plugin.id,
      version: plugin.version,
      source: plugin.source,
      state,
      reason,
      problems,
      contributes: plugin.status === 'valid' ? (plugin.manifest.contributes ?? []) : [],
      permissions: plugin.status === 'valid' ? (plugin.manifest.permissions ?? []) : [],
      started_ms: startedMs,
    }),
    /** Sets state and reason of a plugin that does not run. Each change is logged once. */
    set: (next: PluginState, why: string | null): void => move(next, why),
    /**
     * Publishes what was recorded of its contributions: it is ready. `onUse` is called for the first use, and
     * whenever it is used before it runs. Never rejects; a failure becomes the state.
     */
    async offer(
      recorded: RecordedSetup,
      given: { readonly links: ReadonlySet<string>; readonly surroundings: PluginSurroundings; readonly onUse: () => Promise<boolean> },
    ): Promise<StartOutcome> {
      if (plugin.status === 'invalid') return { state: 'failed' }
      const start = open(plugin, given.surroundings)
      links = given.links
      try {
        const offer = offerPlugin(start, recorded, given.onUse)
        admission = offer.admission
        offered = { start, offer }
        move('ready', null)
        return { state: 'ready' }
      } catch (error) {
        return fail(start, error, false)
      }
    },
    /** Withdraws its offer at once, without the calls that wait for its start. Never rejects. */
    async withdrawOffer(next: PluginState, why: string): Promise<void> {
      if (scope !== undefined) await undo(scope, stopReason())
      move(next, why)
    },
    /**
     * Starts it, before the database is open without surroundings; behind its offer, if it is ready. Never rejects;
     * a failure leaves nothing behind and becomes the state.
     */
    start(usedPlugins: ReadonlySet<string>, surroundings?: PluginSurroundings): Promise<StartOutcome> {
      underWay ??= begin(usedPlugins, surroundings).finally(() => {
        underWay = undefined
      })
      return underWay
    },
    starting: (): Promise<StartOutcome> | undefined => underWay,
    cancelStart,
    /**
     * Announces its stop to it once, while calls go on and may still begin; `stop` does so if it has
     * not happened. Never rejects.
     */
    async announceStop(why: string | null): Promise<void> {
      await cancelStart(why ?? 'it was stopped while it started')
      await announce(why)
    },
    /**
     * Stops it: refuses new calls, waits a while for those in flight, then disposes the scope in
     * reverse. Never rejects.
     */
    async stop(next: PluginState, why: string | null, drainMs = limits.drainMs): Promise<void> {
      await cancelStart(why ?? 'it was stopped while it started')
      const opened = scope
      if (opened === undefined) return move(next, why)
      const unready = await announce(why)
      const reason = stopReason()
      // As the plugin, because it runs the listeners of the calls' signals.
      const aborted = (await escaped.run(plugin.id, () => admission?.drain(Math.min(drainMs, limits.drainMs), reason))) ?? 0
      if (aborted > 0) log.warn('Calls were aborted because the plugin stopped', { calls: aborted })
      admission = undefined
      const left = describeLeft([...unready, ...(await undo(opened, reason))])
      move(next, [why, left].filter((text) => text !== undefined && text !== null).join('; ') || null)
    },
    /**
     * Reports an error of this plugin that no caller got. It goes on, marked; the mark of a starting
     * plugin shows once it runs.
     */
    mark,
  }
}

/** Every reason of an error of the host, or the one of another error. */
const linesOf = (error: unknown): readonly string[] =>
  ServiceError.isInstance(error) && error.problems.length > 0 ? error.problems.map(({ message }) => message) : [messageOf(error)]

/** The error that shows where the plugin failed, not the host's error around it. */
const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause !== undefined ? error.cause : error)

const describeLeft = (errors: readonly Error[]): string | undefined =>
  errors.length === 0 ? undefined : `${errors.length} thing(s) did not stop cleanly: ${errors.map(({ message }) => message).join('; ')}`
