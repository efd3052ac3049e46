import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'

/** The reading side of the users' streams. */
export interface EventStreams {
  /**
   * One connection's events: first what was kept after `after`, or `event: reset` where that cannot be told, then live, a comment every 15 s.
   * Ends when the signal is aborted. A reader that falls too far behind gets `reset` and the end.
   */
  open(
    userId: string,
    options: { readonly after?: number; readonly chatId?: string; readonly signal: AbortSignal },
  ): AsyncIterable<ServerSentEvent>
}
