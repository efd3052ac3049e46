import { Checkbox, createLoaded, Failure, isProblem, SelectField, showToast, TextField, whenConfirmed } from '@agent-service/sdk/web'
import { OldFormDialog } from '@agent-service/sdk/web/forms'
import { createEffect, createMemo, createSignal, For, type JSX, on, onCleanup, Show } from 'solid-js'
import { api, type Schemas } from '../../api/index.js'
import { t } from './texts.js'

type Kind = Schemas['VaultAccess']['kind']

const shownPeople = 8
const typingMs = 250

/** Decides who may use a vault of the service; needs a confirmed session. */
export function AccessDialog(props: {
  readonly vault: Schemas['SystemVault']
  readonly onClose: () => void
  readonly onDone: () => void
}): JSX.Element {
  const { vault } = props
  const [kind, setKind] = createSignal<Kind>(vault.access.kind)
  const [chosen, setChosen] = createSignal<readonly string[]>(vault.access.user_ids ?? [])
  const save = async (): Promise<void> => {
    const body = { kind: kind(), ...(kind() === 'users' && { user_ids: [...chosen()] }) }
    const isDone = await whenConfirmed(t('confirm_reason'), () =>
      api.put('/api/admin/vaults/{vault_id}/access', { path: { vault_id: vault.id }, body }),
    )
    if (!isDone) return
    showToast(t('access_changed', { title: vault.title }))
    props.onDone()
  }
  return (
    <OldFormDialog
      title={t('access_of', { title: vault.title })}
      action={t('save')}
      check={() => (kind() === 'users' && chosen().length === 0 ? { '/user_ids': t('choose') } : {})}
      onSubmit={save}
      onClose={props.onClose}
    >
      {(problems) => (
        <>
          <SelectField
            label={t('access')}
            help={t('access_text')}
            value={kind()}
            onInput={setKind}
            choices={(['admins', 'everyone', 'users'] as const).map((value) => ({ value, label: t(`access_${value}`) }))}
          />
          <Show when={kind() === 'users'}>
            <People chosen={chosen()} problem={chosen().length === 0 ? problems()['/user_ids'] : undefined} onInput={setChosen} />
          </Show>
        </>
      )}
    </OldFormDialog>
  )
}

/** People by a search; who is chosen stays in the list. */
function People(props: {
  readonly chosen: readonly string[]
  readonly problem: string | undefined
  readonly onInput: (ids: readonly string[]) => void
}): JSX.Element {
  const [search, setSearch] = createSignal('')
  const [names, setNames] = createSignal<ReadonlyMap<string, string>>(new Map())
  const learn = (users: readonly User[]): void =>
    void setNames((before) => new Map([...before, ...users.map((user) => [user.id, nameOf(user)] as const)]))
  const first = props.chosen
  const known = createLoaded(async (signal) => {
    const users = await Promise.all(first.map((id) => readUser(id, signal)))
    learn(users.filter((user) => user !== undefined))
  })
  const found = createLoaded(async (signal) => {
    const query = { limit: shownPeople, ...(search().trim() !== '' && { search: search().trim() }) }
    const { items } = await api.get('/api/admin/users', { query, signal })
    learn(items)
    return items.map(({ id }) => id)
  })
  /** Those who were chosen first, then what is found, so that no row moves when it is chosen. */
  const shown = createMemo(() => [...new Set([...first, ...(found.value() ?? []), ...props.chosen])])
  let timer: ReturnType<typeof setTimeout> | undefined
  const [typed, setTyped] = createSignal('')
  createEffect(
    on(
      typed,
      (text) => {
        clearTimeout(timer)
        timer = setTimeout(() => setSearch(text), typingMs)
      },
      { defer: true },
    ),
  )
  onCleanup(() => clearTimeout(timer))
  return (
    <>
      <TextField label={t('find')} type="search" placeholder={t('find_hint')} value={typed()} onInput={setTyped} error={props.problem} />
      <div class="admin-vaults-people">
        <Show when={known.error()}>{(error) => <Failure error={error()} onRetry={() => void known.reload()} />}</Show>
        <Show when={found.error()}>{(error) => <Failure error={error()} onRetry={() => void found.reload()} />}</Show>
        <Show when={found.value()?.length === 0}>
          <p class="help">{t('none_found')}</p>
        </Show>
        <For each={shown()}>
          {(id) => (
            <Checkbox
              label={names().get(id) ?? id}
              value={props.chosen.includes(id)}
              onInput={(isChosen) => props.onInput(isChosen ? [...props.chosen, id] : props.chosen.filter((each) => each !== id))}
            />
          )}
        </For>
      </div>
    </>
  )
}

type User = Pick<Schemas['AdministeredUser'], 'id' | 'name' | 'username'>

const nameOf = ({ name, username }: User): string => (name === null ? username : `${name} (${username})`)

/** `undefined`: the account is gone; its id is shown. */
async function readUser(id: string, signal: AbortSignal): Promise<User | undefined> {
  try {
    return await api.get('/api/admin/users/{user_id}', { path: { user_id: id }, signal })
  } catch (error) {
    if (isProblem(error, 'not_found')) return undefined
    throw error
  }
}
