import { Button, createAction, Failure, Mark } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { createChatState } from '../live-chat/chat-state.js'
import { t } from './texts.js'
import { TurnList } from './turn-list.js'

/** The turns of a chat inside of another screen, such as beside the form of an agent; the newest are in view. */
export function EmbeddedTurns(props: { readonly chatId: string }): JSX.Element {
  const chat = createChatState(props.chatId)
  const stopping = createAction(() => chat.stop())
  return (
    <>
      <section class="chat-embedded" tabindex="0" aria-label={t('messages')}>
        <div>
          <TurnList chat={chat} />
          <Show when={chat.error() ?? stopping.failure()}>{(error) => <Failure error={error()} onRetry={() => void chat.load()} />}</Show>
        </div>
      </section>
      <Show when={chat.isRunning()}>
        <p class="row small t2">
          <Mark name="run" />
          {chat.state.stopping ? t('stopping') : t('running')}
          <Button size="small" busy={chat.state.stopping} onClick={() => void stopping.run()}>
            {t('stop')}
          </Button>
        </p>
      </Show>
    </>
  )
}
