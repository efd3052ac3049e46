import {
  Button,
  bytesText,
  confirmAction,
  createAction,
  Failure,
  Icon,
  type MarkName,
  momentText,
  StateMark,
  showToast,
  whenText,
} from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Delivery } from '../common/channel-api.js'
import { Reason } from '../common/connection-state.js'
import { t } from '../common/texts.js'

const marks: Readonly<Record<Delivery['state'], MarkName>> = {
  ...{ queued: 'next', sending: 'run', sent: 'done', unknown: 'warn', failed: 'fail' },
}
/** Longer texts are shown to here, and whole on request. */
const maxShown = 280

/** One message that was to be sent: plain text, whatever an agent or a person has written. */
export function DeliveryRow(props: {
  readonly delivery: Delivery
  readonly isShared: boolean
  readonly onResend: () => Promise<unknown>
}): JSX.Element {
  const sending = createAction(async () => {
    await props.onResend()
    showToast(t('resent'))
  })
  const isOver = (): boolean => props.delivery.state === 'failed' || props.delivery.state === 'unknown'
  const beginning = (): string => [...props.delivery.text.slice(0, maxShown * 2)].slice(0, maxShown).join('')
  const isLong = (): boolean => beginning().length < props.delivery.text.length
  const resend = async (): Promise<void> => {
    const isUnknown = props.delivery.state === 'unknown'
    const question = { title: t('resend_question'), text: t('resend_text'), action: t('resend'), danger: false }
    if (!isUnknown || (await confirmAction(question))) await sending.run()
  }
  return (
    <div class="channels-person">
      <div class="channels-words">
        <p class="channels-sub">
          <StateMark mark={marks[props.delivery.state]}>{t(`delivery_${props.delivery.state}`)}</StateMark>
          <span>{t(`of_${props.delivery.kind}`)}</span>
          <Show when={props.delivery.chunk.count > 1}>
            <span>{t('part', { number: props.delivery.chunk.index + 1, count: props.delivery.chunk.count })}</span>
          </Show>
          <span>
            {t('to')} <bdi class="mono">{props.delivery.conversation_id}</bdi>
          </span>
          <Show when={props.delivery.attempts > 1}>
            <span>{t('attempts', { count: props.delivery.attempts })}</span>
          </Show>
          <span title={momentText(props.delivery.created_at)}>{whenText(props.delivery.created_at)}</span>
        </p>
        <Show when={!props.isShared} fallback={<p class="channels-sub">{t('text_hidden')}</p>}>
          <Show when={props.delivery.file}>
            {(file) => (
              <p class="channels-sub">
                <bdi>{file().name}</bdi> <span>{bytesText(file().size)}</span>
              </p>
            )}
          </Show>
          <p class="channels-text">{isLong() ? `${beginning()}…` : props.delivery.text}</p>
          <Show when={isLong()}>
            <details class="fold">
              <summary>
                <Icon name="chevron-right" />
                {t('whole')}
              </summary>
              <div class="channels-text">{props.delivery.text}</div>
            </details>
          </Show>
        </Show>
        <Show when={props.delivery.state !== 'sent' && props.delivery.failure}>
          {(found) => (
            <p class="channels-why">
              <Reason code={found().code} message={found().message} />
            </p>
          )}
        </Show>
        <Show when={sending.failure()}>{(error) => <Failure error={error()} />}</Show>
      </div>
      <div class="channels-buttons">
        <Show when={isOver()}>
          <Button
            size="small"
            busy={sending.busy()}
            label={t('resend_title', { when: whenText(props.delivery.created_at) })}
            onClick={() => void resend()}
          >
            {t('resend')}
          </Button>
        </Show>
      </div>
    </div>
  )
}
