import { Button, confirmAction, createAction, Failure, language, StateMark, showToast, whenConfirmed } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { api } from '../../api/index.js'
import { documentsIn, isOfAbsentPlugin, isOfUsers, type StoredData } from './stored-data.js'
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
        <StateMark mark={data().state === 'unknown' ? 'wait' : 'off'}>
          {t(data().decision === 'keep' ? 'left_kept' : data().state === 'unknown' ? 'left_unknown' : 'left_gone')}
        </StateMark>
      </div>
      <div class="plugins-what">
        <p>
          <b>
            <bdi>{data().id}</bdi>
          </b>{' '}
          <Show when={data().version !== 'unknown'}>{<span class="meta">{data().version}</span>}</Show>
        </p>
        <Show when={data().state === 'unknown' && data().reason}>
          {(reason) => (
            <p class="plugins-reason" lang={language() === 'en' ? undefined : 'en'}>
              {reason()}
            </p>
          )}
        </Show>
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

/** What a plugin that runs has left behind. */
export function LeftBehind(props: { readonly data: StoredData; readonly onChanged: () => Promise<void> }): JSX.Element {
  return (
    <>
      <p class="help">{t('left_behind')}</p>
      <Stored data={props.data} />
      <DataActions data={props.data} onlyLeftBehind onChanged={props.onChanged} />
    </>
  )
}

/** Delete, and for a plugin that is gone: keep without reminders. */
export function DataActions(props: {
  readonly data: StoredData
  /** The plugin runs, and goes on. */
  readonly onlyLeftBehind?: boolean
  readonly onChanged: () => Promise<void>
}): JSX.Element {
  const deciding = createAction((decide: () => Promise<unknown>) => decide())
  const id = () => props.data.id
  const run = async (decide: () => Promise<unknown>): Promise<void> => {
    if (deciding.busy()) return
    await deciding.run(decide)
    await props.onChanged()
  }
  const keep = () => run(() => api.post('/api/admin/plugins/{id}/data/keep', { path: { id: id() } }))
  const remove = () =>
    run(async () => {
      if (await mayDelete(props.data, props.onlyLeftBehind === true))
        await deleteData(id(), {
          ...(props.data.state === 'unknown' && { despite_unread_sources: true }),
          ...(props.onlyLeftBehind && { left_behind: true }),
        })
    })
  return (
    <>
      <Show when={deciding.failure()}>{(error) => <Failure error={error()} />}</Show>
      <div class="plugins-actions">
        <Button size="small" kind="danger" busy={deciding.busy()} onClick={() => void remove()}>
          {t(props.onlyLeftBehind ? 'left_delete_behind' : 'left_delete', { id: id() })}
        </Button>
        <Show when={isOfAbsentPlugin(props.data) && props.data.decision === null}>
          <Button size="small" kind="quiet" disabled={deciding.busy()} onClick={() => void keep()}>
            {t('left_keep', { id: id() })}
          </Button>
        </Show>
      </div>
    </>
  )
}

/** Says what is lost, and asks once more where it is not sure that the plugin is gone. */
async function mayDelete(data: StoredData, onlyLeftBehind: boolean): Promise<boolean> {
  const { id, state, reason, folders, third_party } = data
  const losses = [
    t('left_loses', { count: documentsIn(data), collections: data.collections.length }),
    folders.length > 0 ? t('left_loses_folders', { names: folders.join(', ') }) : '',
    third_party || onlyLeftBehind ? '' : t('left_keeps_files'),
    onlyLeftBehind ? '' : t('left_loses_rest'),
    isOfUsers(data) ? t('left_loses_users') : '',
  ]
  const action = t(onlyLeftBehind ? 'left_delete_behind' : 'left_delete', { id })
  if (!(await confirmAction({ title: t('left_question', { id }), text: losses.filter(Boolean).join(' '), action }))) return false
  if (state !== 'unknown') return true
  return confirmAction({
    title: t('left_unknown_question', { id }),
    text: t('left_unknown_text', { reason: reason ?? '' }),
    action: t('left_delete_despite', { id }),
  })
}

async function deleteData(id: string, query: { readonly despite_unread_sources?: boolean; readonly left_behind?: boolean }): Promise<void> {
  await whenConfirmed(t('left_confirm_reason'), async () => {
    await api.delete('/api/admin/plugins/{id}/data', { path: { id }, query })
    showToast(t('left_deleted', { id }))
  })
}
