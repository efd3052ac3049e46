import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Hold, type HoldOptions, type LimitDefinition, limitReachedError, overloadedError } from '@agent-service/sdk/services/quotas'
import { createDistribution, type Distribution } from '../metrics/distribution.js'
import { checkAmount, checkDefinition, isMaximum, limitInvalidError } from './check-definition.js'
import { createLimitSums, type LimitSums, type Refusal } from './limit-sums.js'
import type { MeasuredLimit } from './measured-limit.js'
import { createWaitingRoom, type WaitingRoom } from './waiting-room.js'

const retryAfterSeconds = 2
/** In seconds. */
const waitBounds = [0.01, 0.1, 1, 10, 60]

const noOptions: HoldOptions = Object.freeze({})

interface LimitState {
  readonly definition: LimitDefinition
  readonly clock: Clock
  readonly log: Logger
  readonly sums: LimitSums
  readonly waiting: WaitingRoom<Hold>
  readonly waits: Distribution
  /** The holds that can be displaced, if the limit displaces. */
  readonly displaceable: Map<string, Set<OwnHold>>
  refused: number
  displaced: number
}

/**
 * Makes a limit. Memory: one entry for each holder that uses something or waits. No callback can
 * corrupt it: the sums change only after all callbacks.
 * @throws `limit_invalid`
 */
export function createLimit(definition: LimitDefinition, { clock, log }: { readonly clock: Clock; readonly log: Logger }): MeasuredLimit {
  checkDefinition(definition)
  const own = Object.freeze({ ...definition })
  const state: LimitState = {
    ...{ definition: own, clock, log },
    sums: createLimitSums(own),
    waiting: createWaitingRoom<Hold>(own.waiting, clock),
    waits: createDistribution(waitBounds),
    displaceable: new Map(),
    refused: 0,
    displaced: 0,
  }
  return {
    definition: own,
    take: (holder, amount = 1, options = noOptions) => take(state, holder, amount, options),
    acquire: (holder, amount, options) => acquire(state, holder, amount, options),
    used: state.sums.used,
    total: state.sums.total,
    holders: state.sums.holders,
    waiting: state.waiting.size,
    waits: state.waits,
    refused: () => state.refused,
    displaced: () => state.displaced,
    close: state.waiting.close,
  }
}

function take(state: LimitState, holder: string, amount: number, options: HoldOptions): Hold {
  checkAmount(state.definition.name, amount)
  const taken = tryTake(state, holder, amount, options)
  if (typeof taken === 'string') throw refuse(state, holder, taken)
  return taken
}

async function acquire(
  state: LimitState,
  holder: string,
  amount: number,
  options: HoldOptions & { readonly signal: AbortSignal },
): Promise<Hold> {
  const { signal } = options
  signal.throwIfAborted()
  checkAmount(state.definition.name, amount)
  const { waiting } = state
  const taken = waiting.has(holder)
    ? (state.sums.refusal(holder, maxOf(state, holder), amount) ?? 'holder')
    : tryTake(state, holder, amount, options)
  if (typeof taken !== 'string') return taken
  if (!waiting.mayWait(holder)) throw refuse(state, holder, taken)
  const attempt = (): Hold | undefined => {
    const now = tryTake(state, holder, amount, options)
    return typeof now === 'string' ? undefined : now
  }
  const since = state.clock.monotonic()
  try {
    return await waiting.wait(holder, attempt, { signal, refusal: () => refuse(state, holder, taken) })
  } finally {
    state.waits.observe(Math.max(0, state.clock.monotonic() - since) / 1_000)
  }
}

function refuse(state: LimitState, holder: string, refusal: Refusal): Error {
  const { name, counts } = state.definition
  state.refused += 1
  return refusal === 'holder'
    ? limitReachedError.create({ limit: name, counts, max: maxOf(state, holder) }, { retryAfterSeconds })
    : overloadedError.create({ limit: name, counts }, { retryAfterSeconds })
}

/** @throws `limit_invalid` if the definition does not return a number */
function maxOf({ definition: { name, maxPerHolder } }: LimitState, holder: string): number {
  const max = typeof maxPerHolder === 'function' ? maxPerHolder(holder) : maxPerHolder
  if (!isMaximum(max)) throw limitInvalidError.create({ limit: name, reason: 'maxPerHolder must return a number of at least 0' })
  return max
}

/** Callbacks of the caller run first; the sums and the hold then change in one step. */
function tryTake(state: LimitState, holder: string, amount: number, options: HoldOptions): Hold | Refusal {
  const max = maxOf(state, holder)
  const refusal = state.sums.refusal(holder, max, amount)
  const displaced = refusal ? idleToDisplace(state, holder, max, amount) : []
  if (!displaced) return refusal ?? 'holder'
  for (const idle of displaced) idle.drop()
  const hold = new OwnHold(state, holder, amount, options)
  for (const idle of displaced) notifyDisplaced(state, idle)
  if (displaced.length > 0) admit(state, holder)
  return hold
}

/**
 * The holder's longest idle holds, as many as have to be displaced; `undefined` if they would not
 * make enough room.
 */
function idleToDisplace(state: LimitState, holder: string, max: number, amount: number): readonly OwnHold[] | undefined {
  const { displaceIdleMs } = state.definition
  if (displaceIdleMs === undefined) return undefined
  const idleSince = state.clock.monotonic() - displaceIdleMs
  const idle = [...(state.displaceable.get(holder) ?? [])]
    .map((hold) => ({ hold, lastUsed: lastUsedOf(state, hold) }))
    .filter(({ lastUsed }) => lastUsed <= idleSince)
    .sort((a, b) => a.lastUsed - b.lastUsed)
    .map(({ hold }) => hold)
  for (let many = 1; many <= idle.length; many += 1) {
    const chosen = idle.slice(0, many)
    const given = chosen.map((hold) => hold.amount)
    if (!state.sums.refusal(holder, max, amount, given)) return chosen
  }
  return undefined
}

/** A hold whose last use is unknown counts as in use. */
function lastUsedOf(state: LimitState, { options }: OwnHold): number {
  try {
    return options.lastUsed?.() ?? Number.POSITIVE_INFINITY
  } catch (error) {
    state.log.error('The last use of a hold could not be determined.', { limit: state.definition.name, error })
    return Number.POSITIVE_INFINITY
  }
}

function notifyDisplaced(state: LimitState, { options }: OwnHold): void {
  state.displaced += 1
  try {
    options.onDisplaced?.()
  } catch (error) {
    state.log.error('The callback of a displaced hold failed.', { limit: state.definition.name, error })
  }
}

/** A class, since every request makes several. */
class OwnHold implements Hold {
  readonly holder: string
  readonly options: HoldOptions
  readonly #state: LimitState
  #amount: number
  #isHeld = true

  constructor(state: LimitState, holder: string, amount: number, options: HoldOptions) {
    this.holder = holder
    this.options = options
    this.#state = state
    this.#amount = amount
    const { sums, displaceable, definition } = state
    sums.count(holder, 1)
    sums.change(holder, 0, amount)
    if (definition.displaceIdleMs !== undefined && options.lastUsed)
      displaceable.set(holder, (displaceable.get(holder) ?? new Set()).add(this))
  }

  get amount(): number {
    return this.#amount
  }

  resize(amount: number): void {
    const state = this.#state
    const before = this.#amount
    checkAmount(state.definition.name, amount)
    if (!this.#isHeld) return
    const refusal = amount > before ? state.sums.refusal(this.holder, maxOf(state, this.holder), amount, [before]) : undefined
    if (refusal) throw refuse(state, this.holder, refusal)
    this.#amount = amount
    state.sums.change(this.holder, before, amount)
    if (amount < before) admit(state, this.holder)
  }

  /** Releases it without admitting waiting requests. */
  drop(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    const { sums, displaceable } = this.#state
    sums.change(this.holder, this.#amount, 0)
    sums.count(this.holder, -1)
    this.#amount = 0
    const others = displaceable.get(this.holder)
    others?.delete(this)
    if (others?.size === 0) displaceable.delete(this.holder)
  }

  release(): void {
    if (!this.#isHeld) return
    this.drop()
    admit(this.#state, this.holder)
  }
}

/** A release makes room for other holders only if they share a total. */
const admit = ({ waiting, definition }: LimitState, holder: string): void =>
  waiting.admit(definition.maxTotal === undefined ? holder : undefined)
