import {
  Badge,
  Button,
  CopyButton,
  confirmAction,
  createAction,
  Dialog,
  EmptyState,
  Failure,
  momentText,
  PagedRows,
  pageQuery,
  showToast,
  whenText,
} from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api, createPagedQuery, type Schemas } from '../../api/index.js'
import { NewToken } from './new-token.js'
import { t } from './texts.js'

type Token = Schemas['Token']

/** The tokens of programs. The secret is shown once, after a token was made. */
export function Tokens(): JSX.Element {
  const [adding, setAdding] = createSignal(false)
  const [created, setCreated] = createSignal<Schemas['CreatedToken']>()
  const list = createPagedQuery<Token>({
    key: () => ['tokens'],
    read: (cursor, signal) => api.get('/api/auth/tokens', { query: pageQuery(cursor), signal }),
    idOf: ({ id }) => id,
  })
  const revoking = createAction(
    async ({ id, name }: Token) => {
      await api.delete('/api/auth/tokens/{token_id}', { path: { token_id: id } })
      list.remove(id)
      showToast(t('revoked', { name }))
    },
    { concurrent: true },
  )
  const revoke = async (token: Token): Promise<void> => {
    const yes = await confirmAction({
      title: t('revoke_question', { name: token.name }),
      text: t('revoke_text'),
      action: t('revoke_action', { name: token.name }),
      keep: t('keep'),
    })
    if (yes) await revoking.run(token)
  }
  return (
    <section class="access-part" aria-labelledby="access-tokens">
      <header class="row access-head">
        <h2 class="h3" id="access-tokens">
          {t('tokens')}
        </h2>
        <span class="grow" />
        <Button kind="main" size="small" icon="plus" onClick={() => setAdding(true)}>
          {t('new_token')}
        </Button>
      </header>
      <Show when={revoking.failure()}>{(error) => <Failure error={error()} />}</Show>
      <PagedRows list={list} label={t('tokens')} empty={<EmptyState title={t('no_tokens')} text={t('no_tokens_text')} />}>
        {(token) => <TokenRow token={token} isBusy={revoking.given()?.[0] === token} onRevoke={() => void revoke(token)} />}
      </PagedRows>
      <Show when={adding()}>
        <NewToken
          onClose={() => setAdding(false)}
          onCreated={(made) => {
            const { token: _, ...listed } = made
            list.put(listed)
            setAdding(false)
            setCreated(made)
          }}
        />
      </Show>
      <Show when={created()}>
        {(made) => (
          <Dialog title={t('created', { name: made().name })} modalOnly onClose={() => setCreated(undefined)}>
            <p>{t('created_text')}</p>
            <div class="access-secret">
              <code>{made().token}</code>
              <CopyButton text={() => made().token} label={t('copy_token')} />
            </div>
            <footer>
              <Button kind="main" onClick={() => setCreated(undefined)}>
                {t('done')}
              </Button>
            </footer>
          </Dialog>
        )}
      </Show>
    </section>
  )
}

function TokenRow(props: { readonly token: Token; readonly isBusy: boolean; readonly onRevoke: () => void }): JSX.Element {
  const isExpired = (): boolean => props.token.expires_at !== null && Date.parse(props.token.expires_at) < Date.now()
  return (
    <div class="item access-item">
      <span class="grow access-words">
        <span class="row access-name">
          <b>
            <bdi>{props.token.name}</bdi>
          </b>
          <For each={props.token.scopes}>
            {(scope) => <Badge tone={scope === 'admin' ? 'warn' : undefined}>{t(`scope_${scope}`)}</Badge>}
          </For>
          <Show when={isExpired()}>
            <Badge tone="danger" mark="fail">
              {t('expired')}
            </Badge>
          </Show>
        </span>
        <span class="sub">
          <code>{props.token.prefix}…</code> · {usedText(props.token.last_used_at)} ·{' '}
          {props.token.expires_at === null ? t('no_end') : t('ends', { time: whenText(props.token.expires_at) })}
        </span>
      </span>
      <span class="meta access-when" title={momentText(props.token.created_at)}>
        {t('since', { time: whenText(props.token.created_at) })}
      </span>
      <Button
        size="small"
        kind="danger"
        label={t('revoke_action', { name: props.token.name })}
        busy={props.isBusy}
        onClick={() => props.onRevoke()}
      >
        {t('revoke')}
      </Button>
    </div>
  )
}

const usedText = (moment: string | null): string => (moment === null ? t('never_used') : t('used', { time: whenText(moment) }))
