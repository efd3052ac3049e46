import {
  Badge,
  Button,
  createAction,
  EmptyState,
  Failure,
  momentText,
  PagedRows,
  pageQuery,
  showToast,
  whenText,
} from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { deviceOf } from '../../accounts/device-name.js'
import { api, createPagedQuery, type Schemas } from '../../api/index.js'
import { t } from './texts.js'

type Session = Schemas['Session']

/** The devices that are signed in. The one in use is left by signing out. */
export function Sessions(): JSX.Element {
  const list = createPagedQuery<Session>({
    key: () => ['sessions'],
    read: (cursor, signal) => api.get('/api/auth/sessions', { query: pageQuery(cursor), signal }),
    idOf: ({ id }) => id,
  })
  const ending = createAction(
    async (session: Session) => {
      await api.delete('/api/auth/sessions/{session_id}', { path: { session_id: session.id } })
      list.remove(session.id)
      showToast(t('ended', { device: deviceOf(session) }))
    },
    { concurrent: true },
  )
  return (
    <section class="access-part" aria-labelledby="access-sessions">
      <header class="access-head">
        <h2 class="h3" id="access-sessions">
          {t('sessions')}
        </h2>
      </header>
      <Show when={ending.failure()}>{(error) => <Failure error={error()} />}</Show>
      <PagedRows list={list} label={t('sessions')} empty={<EmptyState title={t('no_sessions')} text={t('no_sessions_text')} />}>
        {(session) => (
          <div class="item access-item">
            <span class="grow access-words">
              <span class="row access-name">
                <b title={session.user_agent}>
                  <bdi>{deviceOf(session)}</bdi>
                </b>
                <Show when={session.current}>
                  <Badge tone="accent">{t('this_device')}</Badge>
                </Show>
              </span>
              <span class="sub">
                <bdi>{session.address}</bdi> · {t('used', { time: whenText(session.last_used_at) })}
              </span>
            </span>
            <span class="meta access-when" title={momentText(session.created_at)}>
              {t('since', { time: whenText(session.created_at) })}
            </span>
            <Show when={!session.current}>
              <Button
                size="small"
                kind="danger"
                label={t('end_action', { device: deviceOf(session) })}
                busy={ending.given()?.[0] === session}
                onClick={() => void ending.run(session)}
              >
                {t('end')}
              </Button>
            </Show>
          </div>
        )}
      </PagedRows>
    </section>
  )
}
