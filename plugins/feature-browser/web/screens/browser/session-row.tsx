import { Button, Icon, momentText, whenText } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import type { Schemas } from '../../api/index.js'
import { PagePicture } from './page-picture.js'
import { t } from './texts.js'

/** One session: its page as it looks, whose it is, and how to close it. Titles are what pages say, so never more than text. */
export function SessionRow(props: {
  readonly session: Schemas['BrowserSession']
  readonly isClosing: boolean
  readonly onClose: () => void
}): JSX.Element {
  const title = (): string => props.session.title || t('untitled')
  return (
    <article class="browser-session">
      <PagePicture id={props.session.id} seen={props.session.last_used_at} title={title()} />
      <div class="browser-words">
        <h2 class="h3">
          <bdi>{title()}</bdi>
        </h2>
        <p class="browser-address">
          <bdi dir="ltr">{props.session.url || t('no_page')}</bdi>
        </p>
        <p class="browser-facts">
          <span>
            <Icon name="robot" />
            <bdi>{props.session.agent_handle}</bdi>
          </span>
          <span class="num" title={momentText(props.session.last_used_at)}>
            {t('last_used', { time: whenText(props.session.last_used_at) })}
          </span>
          <Show when={props.session.tabs !== 1}>
            <span class="num">{t('tabs', { count: props.session.tabs })}</span>
          </Show>
        </p>
        <div class="row browser-actions">
          <a href={`/chats/${props.session.chat_id}`} aria-label={t('open_chat_of', { title: title() })}>
            {t('open_chat')}
          </a>
          <Button size="small" icon="x" busy={props.isClosing} label={t('close_of', { title: title() })} onClick={() => props.onClose()}>
            {props.isClosing ? t('closing') : t('close')}
          </Button>
        </div>
      </div>
    </article>
  )
}
