import type { JSX } from 'solid-js'
import { onCleanup } from 'solid-js'
import { api } from '../../api/client.js'
import { onEvent } from '../../api/events.js'
import { createPagedList } from '../../api/paged-list.js'
import type { Schemas } from '../../api/types.js'
import { whenText } from '../../i18n/formats.js'
import { PagedRows } from '../../ui/paged-rows.js'
import { EmptyState } from '../../ui/states.js'
import { t } from './texts.js'

/** The start page: what happened last, live. */
export default function Home(): JSX.Element {
  const chats = createPagedList<Schemas['Chat']>({
    load: (cursor) => api.get('/api/chats', { query: { limit: 20, ...(cursor !== undefined && { cursor }) } }),
    idOf: (chat) => chat.id,
  })
  onCleanup(onEvent('chat.updated', () => void chats.reload()))
  onCleanup(onEvent('reset', () => void chats.reload()))
  return (
    <div class="home">
      <h1 tabindex="-1">{t('question')}</h1>
      <section class="list">
        <h2 class="h3">{t('recent')}</h2>
        <PagedRows list={chats} label={t('recent')} empty={<EmptyState title={t('no_chats')} text={t('no_chats_text')} />}>
          {(chat) => (
            <a class="item" href={`/chats/${chat.id}`}>
              <span class="grow">
                <span class="cut">
                  <bdi>{chat.title ?? t('untitled')}</bdi>
                </span>
              </span>
              <span class="meta">{whenText(chat.updated_at)}</span>
            </a>
          )}
        </PagedRows>
      </section>
    </div>
  )
}
