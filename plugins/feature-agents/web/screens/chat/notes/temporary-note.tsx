import { Button, createAction, Failure, Icon, minuteText, showToast } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../../../api/index.js'
import { t } from './texts.js'
import './temporary-note.css'

/** Says that a chat is temporary and when it goes, with the way to keep it. */
export function TemporaryNote(props: {
  readonly chatId: string
  readonly expiresAt: string
  readonly onKept: (chat: Schemas['Chat']) => void
}): JSX.Element {
  const keeping = createAction(async () => {
    props.onKept(await api.patch('/api/chats/{chat_id}', { path: { chat_id: props.chatId }, body: { temporary: false } }))
    // The button is gone with the note.
    document.querySelector<HTMLElement>('.chat .dock textarea')?.focus({ preventScroll: true })
    showToast(t('kept'))
  })
  return (
    <div class="dock-in small t2">
      <div class="temporary-note">
        <Icon name="clock" />
        <p>{t('temporary', { time: minuteText(props.expiresAt) })}</p>
        <Button size="small" kind="quiet" busy={keeping.busy()} onClick={() => void keeping.run()}>
          {t('keep_chat')}
        </Button>
        <Show when={keeping.failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
    </div>
  )
}
