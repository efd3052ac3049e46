import { Badge, ButtonLink, EmptyState, momentText, PagedRows, whenText } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { createPagedQuery } from '../../api/index.js'
import type { ChannelApi, Connection, Conversation } from '../common/channel-api.js'
import { t } from '../common/texts.js'

const pageSize = 50

/** The conversations at the vendor, each with its chat. */
export function ConversationsTab(props: { readonly own: NonNullable<ChannelApi['own']>; readonly connection: Connection }): JSX.Element {
  const list = createPagedQuery<Conversation>({
    key: () => ['conversations', props.connection.id],
    read: (cursor, signal) =>
      props.own.conversations(props.connection.id, { limit: pageSize, ...(cursor !== undefined && { cursor }) }, signal),
    idOf: ({ id }) => id,
  })
  return (
    <PagedRows
      list={list}
      label={t('conversations')}
      empty={<EmptyState title={t('conversations_none')} text={t('conversations_none_text')} />}
    >
      {(conversation) => (
        <div class="channels-person">
          <div class="channels-words">
            <span class="channels-name">
              <bdi class="key">{conversation.title ?? conversation.conversation_id}</bdi>
              <Show when={conversation.questions > 0}>
                <Badge tone="warn" mark="wait">
                  {t('asks')}
                </Badge>
              </Show>
            </span>
            <p class="channels-sub">
              <span>{t(`kind_${conversation.kind}`)}</span>
              <Show when={conversation.title !== null}>
                <bdi class="mono">{conversation.conversation_id}</bdi>
              </Show>
              <span title={momentText(conversation.changed_at)}>{whenText(conversation.changed_at)}</span>
            </p>
          </div>
          <div class="channels-buttons">
            <Show when={conversation.chat_id} fallback={<span class="small t2">{t('chat_none')}</span>}>
              {(id) => (
                <ButtonLink size="small" icon="message" href={`/chats/${id()}`}>
                  {t('open_chat')}
                </ButtonLink>
              )}
            </Show>
          </div>
        </div>
      )}
    </PagedRows>
  )
}
