import { abortable, settlesWithin, withTimeLimit } from '@agent-service/sdk/async'
import {
  type Channel,
  type ChannelHost,
  type ChannelSession,
  channels,
  channelUnavailableError,
  checkChannelSession,
} from '@agent-service/sdk/contracts/channel'
import { connectMs, healthyMs } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import type { Connection, ConnectionForm } from '../store/connection.js'
import { openConnection } from './open-connection.js'
import type { OpenSession } from './open-session.js'
import { saveState } from './save-state.js'
import { showPresence } from './show-presence.js'
import { oneLine, type ShownError, shownError } from './shown-error.js'

/** How long a session that was ended may take to close, in milliseconds. */
const closeMs = 5_000

/**
 * How a session ended. `again`: the vendor asked to connect again. `absent`: no active plugin has the
 * channel. `superseded`: the connection was changed meanwhile.
 */
export type SessionEnd =
  | { readonly kind: 'again'; readonly lastedMs: number }
  | { readonly kind: 'lost'; readonly lastedMs: number; readonly error: ShownError }
  | { readonly kind: 'absent' }
  | { readonly kind: 'superseded' }

/** Makes what the service does for a session. Nothing is taken any more once its signal is aborted. */
export type HostFactory = (connection: Connection, channel: Channel, signal: AbortSignal) => ChannelHost

export interface RunSessionDependencies {
  readonly parts: ChannelParts
  readonly hostOf: HostFactory
  /** The session can send from now on, and until the result is called. */
  readonly opened: (session: OpenSession) => () => void
}

/** Opens one session of a connection and stays with it until it ends. @throws the signal's reason. */
export async function runSession(dependencies: RunSessionDependencies, connection: Connection, signal: AbortSignal): Promise<SessionEnd> {
  const { parts } = dependencies
  const { contributions, clock } = parts
  const lease = contributions.acquire(channels, connection.channel)
  if (!lease) return { kind: 'absent' }
  const ending = new AbortController()
  const isThere = () => contributions.list(channels).some(({ key }) => key === connection.channel)
  const stopWatching = contributions.onChange(channels, () => {
    if (!isThere()) ending.abort(new Error('The plugin of the channel stops.'))
  })
  const lasting = AbortSignal.any([signal, lease.signal, ending.signal])
  const begin = clock.monotonic()
  let hidden: readonly string[] = []
  let connectedAt: number | undefined
  let failure: ShownError | undefined
  const fail = (error: ShownError): void => {
    failure ??= error
    // What the session has opened is closed with its signal.
    ending.abort(new Error(error.message))
  }
  const lasted = (): number => (connectedAt === undefined ? 0 : clock.monotonic() - connectedAt)
  try {
    if (!(await saveState(parts, connection, { state: 'connecting' }))) return { kind: 'superseded' }
    const open = await openConnection(parts, connection, lease.value)
    hidden = open.hidden
    const channel = lease.value
    const session = await connect(dependencies, { connection, channel, open, lasting, fail })
    const problems = checkChannelSession(session, channel.supports)
    if (problems.length > 0) throw new TypeError(`The session breaks the contract: ${JSON.stringify(problems.slice(0, 5))}`)
    const account = { id: oneLine(session.account.id, 200), name: oneLine(session.account.name, 200) }
    if (!(await saveState(parts, connection, { state: 'connected', failure: null, account, form: formOf(channel) })))
      return { kind: 'superseded' }
    connectedAt = clock.monotonic()
    parts.metrics.connected(connection.channel, 'connected')
    parts.log.info('A channel is connected.', { connection: connection.id, channel: connection.channel, ms: connectedAt - begin })
    const close = dependencies.opened({
      ...{ connection, channel, session, hidden, webhookUrl: open.connection.webhookUrl, signal: lasting, fail },
    })
    const forgetting = forgetFailures(parts, connection)
    try {
      void showPresence({ channel, session, signal: lasting }, 'online', parts.log)
      await lastsUntil(session, lasting)
      return { kind: 'again', lastedMs: lasted() }
    } finally {
      close()
      await forgetting.end()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (failure) return { kind: 'lost', lastedMs: lasted(), error: failure }
    if (ending.signal.aborted || lease.signal.aborted) return isThere() ? { kind: 'again', lastedMs: lasted() } : { kind: 'absent' }
    return { kind: 'lost', lastedMs: lasted(), error: shownError(error, { hidden, channel: connection.channel, log: parts.log }) }
  } finally {
    ending.abort(new Error('The session has ended.'))
    void stopWatching()
    lease.release()
  }
}

/** Stores that a session is healthy, so that its loss counts from the beginning in the next process, too. */
function forgetFailures(parts: ChannelParts, connection: Connection): { end(): Promise<void> } {
  if (connection.failures === 0) return { end: () => Promise.resolve() }
  let saving: Promise<unknown> = Promise.resolve()
  const stop = parts.clock.after(healthyMs, () => {
    saving = saveState(parts, connection, { state: 'connected', failures: 0 }).catch((error: unknown) =>
      parts.log.warn('It could not be stored that a channel is healthy; its failures still count.', { connection: connection.id, error }),
    )
  })
  return {
    async end() {
      void stop()
      // What comes next is stored after it.
      await saving
    },
  }
}

async function connect(
  { hostOf, parts }: RunSessionDependencies,
  at: {
    readonly connection: Connection
    readonly channel: Channel
    readonly open: Awaited<ReturnType<typeof openConnection>>
    readonly lasting: AbortSignal
    readonly fail: (error: ShownError) => void
  },
): Promise<ChannelSession> {
  const { connection, channel, open, lasting, fail } = at
  const host = hostOf(connection, channel, lasting)
  const timedOut = (): Error => {
    const error = channelUnavailableError.create({ channel: channel.title, reason: `it did not connect within ${connectMs / 1_000} s` })
    fail(shownError(error, { hidden: open.hidden, channel: connection.channel, log: parts.log }))
    return error
  }
  return withTimeLimit(() => channel.connect(open.connection, host, { signal: lasting }), {
    ...{ limitMs: connectMs, clock: parts.clock, signal: lasting, timedOut },
  })
}

async function lastsUntil(session: ChannelSession, lasting: AbortSignal): Promise<void> {
  if (!session.run) return abortable(() => new Promise<never>(() => undefined), lasting)
  const run = session.run({ signal: lasting })
  try {
    await abortable(run, lasting)
  } finally {
    // The next session must not begin beside this one; one that does not close is left behind.
    if (lasting.aborted) await settlesWithin(run, { limitMs: closeMs })
  }
}

/** What the channel takes, for when it is not there. */
export const formOf = ({ title, limits, supports }: Channel): ConnectionForm => ({
  ...{ title, text: { unit: limits.text.unit, max: limits.text.max }, share_link_after: limits.shareLinkAfter ?? null },
  ...{ markdown: supports.markdown, buttons: supports.buttons, replies: supports.replies, edits: supports.edits },
  max_file_bytes: (supports.attachmentsOut ? limits.attachments?.maxBytes : undefined) ?? null,
})
