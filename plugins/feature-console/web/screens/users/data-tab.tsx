import { Button, bytesText, currentProfile, Failure, navigate, numberText, Skeleton, showToast, TextField } from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { api, createQuery, type Schemas } from '../../api/index.js'
import { t } from './texts.js'
import type { TabProps, User } from './user.js'

type Sizes = Schemas['UserDataSizes']

/** What an account has, and deleting it. */
export function DataTab(props: TabProps): JSX.Element {
  const sizes = createQuery({
    key: () => ['user-data', props.user.id],
    read: (signal) => api.get('/api/admin/users/{user_id}/data', { path: { user_id: props.user.id }, signal }),
  })
  const [deleting, setDeleting] = createSignal(false)
  const isSelf = (): boolean => currentProfile()?.id === props.user.id
  return (
    <>
      <section class="users-part" aria-labelledby="users-data">
        <header class="users-head">
          <h2 class="h3" id="users-data">
            {t('data')}
          </h2>
          <Button size="small" kind="quiet" icon="refresh" busy={sizes.isLoading()} onClick={() => void sizes.reload()}>
            {t('count_again')}
          </Button>
        </header>
        <Show when={sizes.error()}>{(error) => <Failure error={error()} onRetry={() => void sizes.reload()} />}</Show>
        <Show when={sizes.value()} fallback={<Show when={sizes.error() === undefined}>{<Skeleton lines={6} />}</Show>}>
          {(found) => <SizeTable sizes={found()} />}
        </Show>
      </section>
      <section class="users-part" aria-labelledby="users-delete">
        <header class="users-head">
          <h2 class="h3" id="users-delete">
            {t('delete_title')}
          </h2>
        </header>
        <p class="users-say">{isSelf() ? t('delete_self') : t('delete_text')}</p>
        <Button kind="danger" icon="trash" disabled={isSelf()} onClick={() => setDeleting(true)}>
          {t('delete', { name: props.user.username })}
        </Button>
      </section>
      <Show when={deleting()}>
        <DeleteUser user={props.user} sizes={sizes.value()} onClose={() => setDeleting(false)} />
      </Show>
    </>
  )
}

function SizeTable(props: { readonly sizes: Sizes }): JSX.Element {
  const parts = () => props.sizes.parts.filter(({ records, bytes }) => records !== 0 || bytes !== 0)
  const files = (): string => {
    const { bytes, max_bytes: max } = props.sizes.files
    return max === null ? bytesText(bytes) : t('of_bytes', { used: bytesText(bytes), max: bytesText(max) })
  }
  return (
    <>
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">{t('part')}</th>
            <th scope="col" class="r">
              {t('records')}
            </th>
            <th scope="col" class="r">
              {t('size')}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{t('files')}</td>
            <td class="r" />
            <td class="r">{files()}</td>
          </tr>
          <For each={parts()}>
            {(part) => (
              <tr>
                <td>
                  <bdi>{partText(part.id)}</bdi> <span class="t3 users-plugin">{part.plugin}</span>
                  <Show when={part.raw}>
                    {' '}
                    <span class="t3">{t(part.state === 'gone' ? 'raw_gone' : 'raw_off')}</span>
                  </Show>
                </td>
                <td class="r">{part.records === null ? t('unknown') : numberText(part.records)}</td>
                <td class="r">{part.bytes === null ? t('unknown') : bytesText(part.bytes)}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
      <Show when={props.sizes.absent_plugins.length > 0}>
        <p class="help users-note">{t('absent', { plugins: props.sizes.absent_plugins.join(', ') })}</p>
      </Show>
    </>
  )
}

const parts = ['agents', 'credentials', 'kernel-audit', 'kernel-events', 'kernel-sessions', 'sandbox', 'usage'] as const

const rawPrefix = 'raw:'

/** A part of ours in words, raw documents by their collection, others by their id. */
function partText(id: string): string {
  if (id.startsWith(rawPrefix)) return id.slice(rawPrefix.length)
  const known = parts.find((part) => part === id)
  return known === undefined ? id : t(`part_${known}`)
}

/** Asks for the username, since nothing brings the account back. */
function DeleteUser(props: { readonly user: User; readonly sizes: Sizes | undefined; readonly onClose: () => void }): JSX.Element {
  const sum = (pick: (part: Sizes['parts'][number]) => number | null): number =>
    (props.sizes?.parts ?? []).reduce((total, part) => total + (pick(part) ?? 0), 0)
  const form = createForm({
    initial: { username: '' },
    submit: async () => {
      await api.delete('/api/admin/users/{user_id}', { path: { user_id: props.user.id } })
      showToast(t('deleted', { name: props.user.username }))
      props.onClose()
      await navigate('/admin/users')
    },
  })
  return (
    <FormDialog
      dismissible
      danger
      form={form}
      title={t('delete_question', { name: props.user.username })}
      action={t('delete', { name: props.user.username })}
      disabled={form.values().username !== props.user.username}
      onClose={props.onClose}
    >
      <p class="say">
        {props.sizes
          ? t('delete_sum', { records: sum(({ records }) => records), bytes: bytesText(props.sizes.files.bytes) })
          : t('delete_text')}
      </p>
      <TextField label={t('type_name', { name: props.user.username })} autofocus {...form.field('username')} />
    </FormDialog>
  )
}
