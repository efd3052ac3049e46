import {
  Badge,
  Button,
  createRested,
  EmptyState,
  lazyPart,
  momentText,
  Page,
  PagedRows,
  type QueryPage,
  SelectField,
  TextField,
  whenText,
  whileVisible,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, createPagedQuery, type Schemas } from '../../api/index.js'
import { CreateUser } from './create-user.js'
import { initialsOf } from './initials.js'
import { t } from './texts.js'

type User = Schemas['AdministeredUser']

const Admission = lazyPart(
  () => import('./admission.js'),
  (module) => module.Admission,
)
const Invite = lazyPart(
  () => import('./invite.js'),
  (module) => module.Invite,
)

const pageSize = 100
const everyMs = 10_000
const typingMs = 250

/** Every account, with a search and filters. Read again every ten seconds. */
export function UserList(): JSX.Element {
  const [search, setSearch] = createSignal('')
  const [role, setRole] = createSignal<'' | User['role']>('')
  const [state, setState] = createSignal<'' | 'active' | 'disabled'>('')
  const [creating, setCreating] = createSignal(false)
  const [inviting, setInviting] = createSignal(false)
  const asked = createRested(() => search().trim(), typingMs)
  const filter = (): Filter => ({
    ...(asked() !== '' && { search: asked() }),
    ...(role() !== '' && { role: role() as User['role'] }),
    ...(state() !== '' && { state: state() as 'active' | 'disabled' }),
  })
  const list = createPagedQuery<User>({
    key: () => ['users', filter()],
    read: (cursor, signal) => readPage(filter(), cursor, signal),
    idOf: ({ id }) => id,
  })
  whileVisible(everyMs, () => {
    if (list.state() !== 'loading' && list.items().length <= pageSize) void list.reload()
  })
  const isFiltered = (): boolean => search().trim() !== '' || role() !== '' || state() !== ''
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <Button kind="main" icon="plus" onClick={() => setInviting(true)}>
            {t('invite')}
          </Button>
          <Button onClick={() => setCreating(true)}>{t('create')}</Button>
        </>
      }
    >
      <Admission />
      <search class="users-filters">
        <TextField label={t('search')} type="search" placeholder={t('search_hint')} value={search()} onInput={setSearch} />
        <SelectField
          label={t('role')}
          value={role()}
          onInput={setRole}
          choices={[
            { value: '', label: t('all_roles') },
            { value: 'admin', label: t('role_admin') },
            { value: 'user', label: t('role_user') },
          ]}
        />
        <SelectField
          label={t('state')}
          value={state()}
          onInput={setState}
          choices={[
            { value: '', label: t('all_states') },
            { value: 'active', label: t('active') },
            { value: 'disabled', label: t('disabled') },
          ]}
        />
      </search>
      <PagedRows
        list={list}
        label={t('title')}
        empty={
          <EmptyState title={isFiltered() ? t('none_found') : t('none')} text={isFiltered() ? t('none_found_text') : t('none_text')} />
        }
      >
        {(user) => <UserRow user={user} />}
      </PagedRows>
      <Show when={inviting()}>
        <Invite onClose={() => setInviting(false)} />
      </Show>
      <Show when={creating()}>
        <CreateUser onClose={() => setCreating(false)} />
      </Show>
    </Page>
  )
}

type Filter = { readonly search?: string; readonly role?: User['role']; readonly state?: 'active' | 'disabled' }

/** A page with something in it, or the last one: with a filter the service may answer empty pages. */
async function readPage(filter: Filter, cursor: string | undefined, signal: AbortSignal): Promise<QueryPage<User>> {
  let from = cursor
  for (;;) {
    const query = { ...filter, limit: pageSize, ...(from !== undefined && { cursor: from }) }
    const page = await api.get('/api/admin/users', { query, signal })
    if (page.items.length > 0 || page.next_cursor === null) return page
    from = page.next_cursor
  }
}

function UserRow(props: { readonly user: User }): JSX.Element {
  return (
    <a class="item users-item" href={`/admin/users/${props.user.id}`}>
      <span class="users-face" aria-hidden="true">
        {initialsOf(props.user)}
      </span>
      <span class="grow users-words">
        <span class="row users-name">
          <b>
            <bdi>{props.user.name ?? props.user.username}</bdi>
          </b>
          <Show when={props.user.role === 'admin'}>
            <Badge tone="accent">{t('role_admin')}</Badge>
          </Show>
          <Show when={props.user.disabled}>
            <Badge tone="warn" mark="pause">
              {t('disabled')}
            </Badge>
          </Show>
        </span>
        <span class="sub cut">
          <bdi>{props.user.username}</bdi>
          <Show when={props.user.email}>
            {(email) => (
              <>
                {' · '}
                <bdi>{email()}</bdi>
                <Show when={!props.user.email_verified}>{` (${t('unconfirmed')})`}</Show>
              </>
            )}
          </Show>
        </span>
      </span>
      <span class="meta users-when" title={momentText(props.user.created_at)}>
        {t('since', { time: whenText(props.user.created_at) })}
      </span>
    </a>
  )
}
