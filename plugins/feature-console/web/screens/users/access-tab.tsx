import {
  Badge,
  Button,
  confirmAction,
  createAction,
  EmptyState,
  Failure,
  momentText,
  PagedRows,
  pageQuery,
  showToast,
  whenConfirmed,
  whenText,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { deviceOf } from '../../accounts/device-name.js'
import { api, createPagedQuery, invalidate, type Schemas } from '../../api/index.js'
import { ResetPassword } from './reset-password.js'
import { t } from './texts.js'
import type { TabProps } from './user.js'

type Session = Schemas['Session']
type Identity = Schemas['ExternalIdentity']

/** The password, the sessions and the external identities of an account. */
export function AccessTab(props: TabProps): JSX.Element {
  const [resetting, setResetting] = createSignal(false)
  return (
    <>
      <section class="users-part" aria-labelledby="users-password">
        <header class="users-head">
          <h2 class="h3" id="users-password">
            {t('password')}
          </h2>
        </header>
        <p class="users-say">{t(props.user.has_password ? 'password_set' : 'password_none')}</p>
        <Button icon="key" onClick={() => setResetting(true)}>
          {t(props.user.has_password ? 'reset_password' : 'set_password')}
        </Button>
      </section>
      <SessionList user={props.user} />
      <Identities userId={props.user.id} />
      <Show when={resetting()}>
        <ResetPassword
          user={props.user}
          onClose={() => setResetting(false)}
          onDone={(user) => {
            props.onChanged(user)
            invalidate(['user-sessions', user.id])
          }}
        />
      </Show>
    </>
  )
}

function SessionList(props: { readonly user: TabProps['user'] }): JSX.Element {
  const list = createPagedQuery<Session>({
    key: () => ['user-sessions', props.user.id],
    read: (cursor, signal) =>
      api.get('/api/admin/users/{user_id}/sessions', { path: { user_id: props.user.id }, query: pageQuery(cursor), signal }),
    idOf: ({ id }) => id,
  })
  const ending = createAction(
    async (session: Session) => {
      const path = { user_id: props.user.id, session_id: session.id }
      await api.delete('/api/admin/users/{user_id}/sessions/{session_id}', { path })
      showToast(t('session_ended', { device: deviceOf(session) }))
    },
    { concurrent: true },
  )
  const endingAll = createAction(async (name: string) => {
    await api.delete('/api/admin/users/{user_id}/sessions', { path: { user_id: props.user.id } })
    showToast(t('all_ended', { name }))
  })
  const end = async (session: Session): Promise<void> => {
    endingAll.clear()
    await ending.run(session)
    // Also after a failure: it may have ended elsewhere.
    await list.reload()
  }
  const endAll = async (): Promise<void> => {
    const name = props.user.name ?? props.user.username
    const sure = await confirmAction({ title: t('end_all_question', { name }), text: t('end_all_text'), action: t('end_all') })
    if (!sure) return
    ending.clear()
    await endingAll.run(name)
    await list.reload()
  }
  return (
    <section class="users-part" aria-labelledby="users-sessions">
      <header class="users-head">
        <h2 class="h3" id="users-sessions">
          {t('sessions')}
        </h2>
        <Show when={list.items().length > 0}>
          <Button size="small" kind="danger" busy={endingAll.busy()} onClick={() => void endAll()}>
            {t('end_all')}
          </Button>
        </Show>
      </header>
      <Show when={ending.failure() ?? endingAll.failure()}>{(error) => <Failure error={error()} />}</Show>
      <PagedRows list={list} label={t('sessions')} empty={<EmptyState title={t('no_sessions')} text={t('no_sessions_text')} />}>
        {(session) => (
          <div class="item users-item">
            <span class="grow users-words">
              <span class="row users-name">
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
            <span class="meta users-when" title={momentText(session.created_at)}>
              {t('since', { time: whenText(session.created_at) })}
            </span>
            <Button
              size="small"
              kind="danger"
              label={t('end_action', { device: deviceOf(session) })}
              busy={ending.given()?.[0] === session}
              onClick={() => void end(session)}
            >
              {t('end')}
            </Button>
          </div>
        )}
      </PagedRows>
    </section>
  )
}

function Identities(props: { readonly userId: string }): JSX.Element {
  const list = createPagedQuery<Identity>({
    key: () => ['user-identities', props.userId],
    read: (cursor, signal) =>
      api.get('/api/admin/users/{user_id}/identities', { path: { user_id: props.userId }, query: pageQuery(cursor), signal }),
    idOf: ({ id }) => id,
  })
  const unlinking = createAction(
    async ({ id }: Identity) => {
      const path = { user_id: props.userId, identity_id: id }
      const isDone = await whenConfirmed(t('confirm_unlink'), () =>
        api.delete('/api/admin/users/{user_id}/identities/{identity_id}', { path }),
      )
      if (isDone) list.remove(id)
    },
    { concurrent: true },
  )
  const unlink = async (identity: Identity): Promise<void> => {
    const sure = await confirmAction({
      title: t('unlink_question', { issuer: identity.issuer }),
      text: t('unlink_text'),
      action: t('unlink'),
    })
    if (sure) await unlinking.run(identity)
  }
  return (
    <section class="users-part" aria-labelledby="users-identities">
      <header class="users-head">
        <h2 class="h3" id="users-identities">
          {t('identities')}
        </h2>
      </header>
      <Show when={unlinking.failure()}>{(error) => <Failure error={error()} />}</Show>
      <PagedRows list={list} label={t('identities')} empty={<p class="users-say">{t('no_identities')}</p>}>
        {(identity) => (
          <div class="item users-item">
            <span class="grow users-words">
              <b>
                <bdi>{identity.email ?? identity.subject}</bdi>
              </b>
              <span class="sub">
                <bdi>{identity.issuer}</bdi> · {t('used', { time: whenText(identity.last_sign_in_at) })}
              </span>
            </span>
            <Button
              size="small"
              kind="danger"
              label={t('unlink_action', { issuer: identity.issuer })}
              busy={unlinking.given()?.[0] === identity}
              onClick={() => void unlink(identity)}
            >
              {t('unlink')}
            </Button>
          </div>
        )}
      </PagedRows>
    </section>
  )
}
