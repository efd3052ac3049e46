import type { Logger } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import { typingMs } from '../common/limits.js'
import type { OpenSession } from './open-session.js'

/** How long the end of a session waits until people see that the account is away, in milliseconds. */
const awayMs = 1_000

/**
 * Lets people see whether the account answers, where the channel can. Never rejects, and nothing
 * depends on it; resolves after a second at the latest when it goes away.
 */
export async function showPresence(
  { channel, session, signal }: Pick<OpenSession, 'channel' | 'session' | 'signal'>,
  state: 'online' | 'away',
  log: Logger,
): Promise<void> {
  if (!channel.supports.presence || !session.presence || signal.aborted) return
  try {
    const limitMs = state === 'away' ? awayMs : typingMs
    await withTimeLimit((within) => session.presence?.(state, { signal: within }) ?? Promise.resolve(), { limitMs, signal })
  } catch (error) {
    if (!signal.aborted) log.debug('A channel could not show whether it is there.', { state, error })
  }
}
