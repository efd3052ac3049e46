import { Checkbox, createRested, Failure, isProblem, SelectField, showToast, TextField, whenConfirmed } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { api, createQuery, invalidate, type Schemas } from '../../api/index.js'
import { t } from './texts.js'

type Kind = Schemas['VaultAccess']['kind']

const shownPeople = 8
const typingMs = 250

/** Decides who may use a vault of the service; needs a confirmed session. */
export function AccessDialog(props: { readonly vault: Schemas['SystemVault']; readonly onClose: () => void }): JSX.Element {
  const { vault } = props
  const form = createForm({
    initial: { kind: vault.access.kind as Kind, chosen: (vault.access.user_ids ?? []) as readonly string[] },
    check: ({ kind, chosen }) => (kind === 'users' && chosen.length === 0 ? { '/user_ids': t('choose') } : {}),
    submit: async ({ kind, chosen }) => {
      const body = { kind, ...(kind === 'users' && { user_ids: [...chosen] }) }
      const isDone = await whenConfirmed(t('confirm_reason'), () =>
        api.put('/api/admin/vaults/{vault_id}/access', { path: { vault_id: vault.id }, body }),
      )
      if (!isDone) return false
      showToast(t('access_changed', { title: vault.title }))
      invalidate(['system-vaults'])
      props.onClose()
      return true
    },
  })
  return (
    <FormDialog form={form} title={t('access_of', { title: vault.title })} action={t('save')} onClose={props.onClose}>
      <SelectField
        label={t('access')}
        help={t('access_text')}
        {...form.field('kind')}
        choices={(['admins', 'everyone', 'users'] as const).map((value) => ({ value, label: t(`access_${value}`) }))}
      />
      <Show when={form.values().kind === 'users'}>
        <People
          chosen={form.values().chosen}
          problem={form.values().chosen.length === 0 ? form.problem('/user_ids') : undefined}
          onInput={(chosen) => form.set('chosen', chosen)}
        />
      </Show>
    </FormDialog>
  )
}

/** People by a search; who is chosen stays in the list. */
function People(props: {
  readonly chosen: readonly string[]
  readonly problem: string | undefined
  readonly onInput: (ids: readonly string[]) => void
}): JSX.Element {
  const [typed, setTyped] = createSignal('')
  const search = createRested(() => typed().trim(), typingMs)
  const first = props.chosen
  const known = createQuery({
    key: () => ['users', 'known', first],
    read: async (signal) => (await Promise.all(first.map((id) => readUser(id, signal)))).filter((user) => user !== undefined),
  })
  const found = createQuery({
    key: () => ['users', 'found', search()],
    async read(signal): Promise<readonly User[]> {
      const query = { limit: shownPeople, ...(search() !== '' && { search: search() }) }
      return (await api.get('/api/admin/users', { query, signal })).items
    },
  })
  /** Of all that were found by any search. */
  const names = createMemo(
    (before: ReadonlyMap<string, string>) =>
      new Map([...before, ...[...(known.value() ?? []), ...(found.value() ?? [])].map((user) => [user.id, nameOf(user)] as const)]),
    new Map(),
  )
  /** Those who were chosen first, then what is found, so that no row moves when it is chosen. */
  const shown = createMemo(() => [...new Set([...first, ...(found.value() ?? []).map(({ id }) => id), ...props.chosen])])
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
