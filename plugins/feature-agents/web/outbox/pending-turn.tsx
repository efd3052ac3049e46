import { Button, Icon, Mark } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { discard, type Outgoing, resend, waitsForAnswer } from './outbox.js'
import { t } from './texts.js'

/** A message that is on its way, or was refused and waits for the person. */
export function PendingTurn(props: {
  readonly message: Outgoing
  /** Takes the text and the files of a refused message back. */
  readonly onEdit: (message: Outgoing) => void
}): JSX.Element {
  const waits = (): boolean => waitsForAnswer(props.message)
  return (
    <article class="turn you pending">
      <div class="said">
        <p class="chat-said foreign">{props.message.content}</p>
        <Show when={props.message.attachments.length > 0}>
          <div class="files">
            <For each={props.message.attachments}>
              {(file) => (
                <span class="file">
                  <Icon name="file-text" />
                  <bdi class="cut">{file.name}</bdi>
                </span>
              )}
            </For>
          </div>
        </Show>
        <Show when={props.message.refused}>
          {(reason) => (
            <div class="failed" role="alert">
              <Mark name="fail" />
              <span class="grow">{reason()}</span>
              <Button size="small" onClick={() => resend(props.message.key)}>
                {t('send_again')}
              </Button>
              <Show when={props.message.replaces === undefined}>
                <Button
                  size="small"
                  kind="quiet"
                  onClick={() => {
                    props.onEdit(props.message)
                    discard(props.message.key)
                  }}
                >
                  {t('edit')}
                </Button>
              </Show>
              <Button size="small" kind="quiet" onClick={() => discard(props.message.key)}>
                {t('discard')}
              </Button>
            </div>
          )}
        </Show>
      </div>
      <div class="note">
        <b>{t('you')}</b>
        <span>{props.message.refused !== undefined ? t('not_sent') : waits() ? t('waits_for_answer') : t('sending')}</span>
        <Show when={waits()}>
          <Button size="small" kind="quiet" onClick={() => discard(props.message.key)}>
            {t('discard')}
          </Button>
        </Show>
      </div>
    </article>
  )
}
