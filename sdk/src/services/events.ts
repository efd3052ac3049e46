import type { Disposer } from '../core/disposer.js'
import type { JsonObject } from '../core/json.js'
import { defineServiceReference } from '../core/service-reference.js'
import type { Transaction } from './database.js'

/**
 * The name of a type of event, as the manifest of the plugin that publishes it declares it:
 * `task.updated`. Deltas end in `.delta`.
 */
export type EventName = string

/** One event of one user. `data` names its `chat_id` and `run_id` if it has them. */
export interface EventInput {
  /** Whose stream it goes to. No other user ever sees it. */
  readonly userId: string
  /**
   * One that the plugin's manifest declares in `events`. Names that end in `.delta` are published,
   * all others recorded.
   */
  readonly name: EventName
  /**
   * What a client reads, as the type's schema has it. Without secrets, and small: it is kept and
   * sent to every open stream of the user.
   */
  readonly data: JsonObject
}

/** A state event, as a subscription gets it. */
export interface DeliveredEvent {
  /** Distinguishes it from an {@link EventGap}. */
  readonly kind: 'event'
  /**
   * Of this event, the same at every delivery: the key under which a handler remembers what it has
   * done.
   */
  readonly id: string
  /** Whose event it is. */
  readonly userId: string
  /** One of the subscription's names. */
  readonly name: EventName
  /** As it was recorded. */
  readonly data: JsonObject
  /** When, RFC 3339. */
  readonly recordedAt: string
  /** 1 at first; grows with each attempt that failed, also over restarts. */
  readonly attempt: number
}

/** Events that a subscription missed: it was too far behind. */
export interface EventGap {
  /** Distinguishes it from a {@link DeliveredEvent}. */
  readonly kind: 'gap'
  /** The same at every delivery. */
  readonly id: string
  /**
   * Whose events are missing. Null: of every user, since the subscription had not been taken up for
   * longer than its `maxAgeSeconds`.
   */
  readonly userId: string | null
  /** How many; null if that is not known. */
  readonly lost: number | null
  /** The newest of them was recorded then, RFC 3339. Read the state again that they report. */
  readonly until: string
  /** As of an event. */
  readonly attempt: number
}

/** A durable subscription of a plugin. */
export interface EventSubscription {
  /** Kebab-case, unique in the plugin. Its cursor is stored under this id. */
  readonly id: string
  /** Types of state events, 1 to 50, of any plugin. */
  readonly names: readonly EventName[]
  /**
   * How long an event waits for this subscription, also while the plugin is disabled. 60 to
   * 2,592,000, default 604,800 (a week).
   */
  readonly maxAgeSeconds?: number
  /**
   * How many events of all users wait at most. 1 to 100,000, default 10,000. Held within a minute.
   */
  readonly maxEvents?: number
  /** How often an event is tried before it is set aside. 1 to 100, default 10. */
  readonly maxAttempts?: number
  /** Of how many users events are handled at a time. 1 to 64, default 8. */
  readonly maxConcurrentUsers?: number
  /**
   * How long the handler may take, in seconds; then its signal is aborted and the attempt has
   * failed. Default 60.
   */
  readonly timeoutSeconds?: number
  /**
   * Handles one event or gap. When it resolves, the event is acknowledged. When it rejects, the
   * event comes again: after 1 s, then after twice as long each time, a minute at most; the user's
   * later events wait meanwhile. Called again with a handled event if the process crashed before
   * that was stored: use the event's `id` as an idempotency key.
   */
  handle(event: DeliveredEvent | EventGap, options: { readonly signal: AbortSignal }): Promise<void>
}

/**
 * The users' streams. *State* events are part of the change that they report: written in its
 * transaction, published after its commit, in commit order, and kept for a while. *Delta* events
 * live in memory and may be lost; the sender stores what they add up to.
 */
export interface Events {
  /**
   * Writes a state event with the transaction. It is published once the transaction has committed.
   * @throws `event_undeclared` for a type that the plugin's manifest does not declare,
   * `event_invalid` for data that does not fit its schema.
   */
  record(transaction: Transaction, event: EventInput): void
  /**
   * Publishes a delta now, after every event published before. Returns its number. Names end in
   * `.delta`. @throws as {@link record}.
   */
  publishDelta(event: EventInput): number
  /**
   * A number at or above that of the newest event published to this user, and below that of every
   * later one. A client that reads a state and then resumes a stream `after` a position that was
   * taken before the reading misses nothing. Answers at once.
   */
  position(userId: string): number
}

/**
 * The streams, and subscriptions to them.
 *
 * @example
 * const events = context.use(eventsService)
 * const stop = await events.subscribe({
 *   id: 'count-rolls',
 *   names: ['dice.rolled'],
 *   async handle(event) {
 *     if (event.kind === 'event') context.log.info('Dice were rolled.', { user: event.userId })
 *   },
 * })
 * context.onDispose(stop)
 */
export interface PluginEvents extends Events {
  /**
   * Takes a durable subscription up, once it is stored. From its first time on, every event with
   * one of its names is kept with the change that it reports until the handler has resolved, over
   * restarts, SIGKILL and while the plugin is disabled or failed: at least once, for each user in
   * the order of the commits, in one process of a deployment. Events that came before the first
   * time are not given. What exceeds `maxAgeSeconds` or `maxEvents` is dropped, the oldest first,
   * and the handler gets a {@link EventGap} in its place. In a deployment of several processes, all
   * of them know a new subscription after 5 seconds.
   *
   * The handler may be called at once: subscribe at the end of `setup`. Ends with the plugin, or by
   * the result; either way it stays stored.
   * @throws `subscription_invalid`
   */
  subscribe(subscription: EventSubscription): Promise<Disposer>
  /**
   * Records an event for everyone who has a stream open in this process, or had one so lately that it may be resumed: for
   * what all see and no stored change says, such as parts of a page that come and go. Whoever opens a stream later does
   * not get it, and reads the state anyway. Resolves when it is stored.
   * @throws as {@link record}.
   */
  announce(event: Omit<EventInput, 'userId'>): Promise<void>
  /** Removes a subscription, with all its pending events. Does nothing for an unknown one. */
  unsubscribe(id: string): Promise<void>
}

/** The users' streams. Provided by the kernel. */
export const eventsService = defineServiceReference<PluginEvents>()('kernel.events')
