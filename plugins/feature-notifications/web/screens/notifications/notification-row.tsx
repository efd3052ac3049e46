import { Failure, hasScreen, MenuButton, momentText, whenText } from '@agent-service/sdk/web'
import { taskNotificationText } from '@agent-service/sdk/web/words'
import { type JSX, Show } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import { t } from './texts.js'

/** One notification: what it says, where it leads, and what can be done with it. */
export function NotificationRow(props: {
  readonly item: Schemas['Notification']
  readonly title: string
  /** What its kind is called. */
  readonly kind: string
  /** Why the last of what was to be done with it was not. */
  readonly failure: unknown
  readonly onMark: (read: boolean) => void
  readonly onRemove: () => void
}): JSX.Element {
  const follow = (): void => {
    if (!props.item.read) props.onMark(true)
  }
  /** What it is about may be of a plugin that is not there now. */
  const knownLink = (): string | null => (props.item.link !== null && hasScreen(props.item.link) ? props.item.link : null)
  const title = (): JSX.Element => <bdi>{props.title}</bdi>
  return (
    <div class="notifications-row" classList={{ unread: !props.item.read }}>
      <span class="notifications-dot">
        <Show when={!props.item.read}>
          <span class="sr">{t('unread')}</span>
        </Show>
      </span>
      <div class="notifications-words">
        <Show when={knownLink()} fallback={<p class="key">{title()}</p>}>
          {(link) => (
            <a class="key" href={link()} onClick={follow}>
              {title()}
            </a>
          )}
        </Show>
        <p class="meta notifications-kind">
          <Show when={props.kind !== '' && props.kind !== props.title}>
            <span>{props.kind}</span>
          </Show>
          <time dateTime={props.item.created_at} title={momentText(props.item.created_at)}>
            {whenText(props.item.created_at)}
          </time>
        </p>
        <Show when={props.item.text !== ''}>
          <p class="notifications-text foreign">{textOf(props.item)}</p>
        </Show>
        <Show when={props.failure}>{(error) => <Failure error={error()} />}</Show>
      </div>
      <MenuButton
        name={t('menu', { title: props.title })}
        icon="dots"
        size="small"
        items={[
          {
            label: t(props.item.read ? 'mark_unread' : 'mark_read'),
            icon: 'check',
            run: () => props.onMark(!props.item.read),
          },
          { label: t('delete'), icon: 'trash', danger: true, run: () => props.onRemove() },
        ]}
      />
    </div>
  )
}

/** Of a failure or a question of a task, which the service words itself, in the language of the page. */
const textOf = ({ kind, text }: Schemas['Notification']): string =>
  kind === 'task.failed' || kind === 'task.waiting' ? taskNotificationText(text) : text
