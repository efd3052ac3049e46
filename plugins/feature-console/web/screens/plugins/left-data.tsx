import { createSignal, For, type JSX, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { whenConfirmed } from '../../app/confirmation.js'
import { StateMark } from '../../ui/badge.js'
import { Button } from '../../ui/button.js'
import { confirmAction } from '../../ui/dialog.js'
import { showToast } from '../../ui/notices.js'
import { Failure } from '../../ui/states.js'
import { documentsIn, isOfUsers, type StoredData } from './stored-data.js'
import { t } from './texts.js'

/** The data of plugins that no installed plugin is. */
export function LeftData(props: { readonly data: readonly StoredData[]; readonly onChanged: () => Promise<void> }): JSX.Element {
  return (
    <Show when={props.data.length > 0}>
      <section class="plugins-left" aria-labelledby="plugins-left">
        <h2 class="h3" id="plugins-left">
          {t('left_title')}
        </h2>
        <p class="help">{t('left_lead')}</p>
        <ul class="rows">
          <For each={props.data}>
            {(data) => (
              <li>
                <LeftRow data={data} onChanged={props.onChanged} />
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  )
}

function LeftRow(props: { readonly data: StoredData; readonly onChanged: () => Promise<void> }): JSX.Element {
  const data = () => props.data
  return (
    <div class="plugins-row" data-left={data().id}>
      <div class="plugins-state">
        <StateMark mark="off">{t(data().decision === 'keep' ? 'left_kept' : 'left_gone')}</StateMark>
      </div>
      <div class="plugins-what">
        <p>
          <b>
            <bdi>{data().id}</bdi>
          </b>{' '}
          <Show when={data().version !== 'unknown'}>{<span class="meta">{data().version}</span>}</Show>
        </p>
        <Stored data={data()} />
        <DataActions data={data()} onChanged={props.onChanged} />
      </div>
    </div>
  )
}

/** Collections with counts, and folders. */
function Stored(props: { readonly data: StoredData }): JSX.Element {
  return (
    <ul>
      <For each={props.data.collections}>
        {({ name, documents, of_users }) => (
          <li>
            <bdi class="mono">{name}</bdi> {t('left_documents', { count: documents })}
            <Show when={of_users}>{` · ${t('left_of_users')}`}</Show>
          </li>
        )}
      </For>
      <For each={props.data.folders}>{(name) => <li>{t('left_folder', { name })}</li>}</For>
    </ul>
  )
}

/** Delete, and for a plugin that is gone: keep without reminders. */
export function DataActions(props: { readonly data: StoredData; readonly onChanged: () => Promise<void> }): JSX.Element {
  const [failure, setFailure] = createSignal<unknown>()
  const [isBusy, setBusy] = createSignal(false)
  const id = () => props.data.id
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (isBusy()) return
    setFailure(undefined)
    setBusy(true)
    try {
      await work()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
    await props.onChanged()
  }
  const keep = () => run(() => api.post('/api/admin/plugins/{id}/data/keep', { path: { id: id() } }))
  const remove = () =>
    run(async () => {
      if (await mayDelete(props.data)) await deleteData(id())
    })
  return (
    <>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <div class="plugins-actions">
        <Button size="small" kind="danger" busy={isBusy()} onClick={() => void remove()}>
          {t('left_delete', { id: id() })}
        </Button>
        <Show when={props.data.state === 'gone' && props.data.decision === null}>
          <Button size="small" kind="quiet" disabled={isBusy()} onClick={() => void keep()}>
            {t('left_keep', { id: id() })}
          </Button>
        </Show>
      </div>
    </>
  )
}

/** Says what is lost. */
function mayDelete(data: StoredData): Promise<boolean> {
  const { id, folders, third_party } = data
  const losses = [
    t('left_loses', { count: documentsIn(data), collections: data.collections.length }),
    folders.length > 0 ? t('left_loses_folders', { names: folders.join(', ') }) : '',
    third_party ? '' : t('left_keeps_files'),
    t('left_loses_rest'),
    isOfUsers(data) ? t('left_loses_users') : '',
  ]
  return confirmAction({ title: t('left_question', { id }), text: losses.filter(Boolean).join(' '), action: t('left_delete', { id }) })
}

async function deleteData(id: string): Promise<void> {
  await whenConfirmed(t('left_confirm_reason'), async () => {
    await api.delete('/api/admin/plugins/{id}/data', { path: { id } })
    showToast(t('left_deleted', { id }))
  })
}
