import { ErrorWords } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Schemas } from '../api/index.js'
import { FailedTurn } from '../failures/failed-turn.js'
import { endOfTurn } from '../failures/turn-end.js'
import type { ChatState } from '../live-chat/chat-state.js'
import { createRegeneration } from './regenerate.js'

/** A turn of the agent that ended before it had any message. `asked`: the person's message before it. */
export function SilentTurn(props: {
  readonly chat: ChatState
  readonly run: Schemas['Run']
  readonly asked: string
  readonly hasLater: boolean
  /** It stands beside another answer, and is not answered again there. */
  readonly isCompared: boolean | undefined
}): JSX.Element {
  const again = createRegeneration(props.chat)
  return (
    <article class="turn agent" data-run={props.run.id}>
      <div class="run">
        <Show when={endOfTurn(props.run, { saysNothing: true })}>
          {(end) => (
            <FailedTurn
              end={end()}
              endedAt={props.run.finished_at}
              hasLater={props.hasLater}
              busy={again.busy()}
              disabled={props.chat.isRunning()}
              onRetry={props.isCompared ? undefined : () => void again.run(props.asked)}
            />
          )}
        </Show>
        <Show when={again.failure()}>
          {(cause) => (
            <p class="danger small" role="alert">
              <ErrorWords error={cause()} />
            </p>
          )}
        </Show>
      </div>
    </article>
  )
}
