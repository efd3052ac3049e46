import {
  Button,
  bytesText,
  confirmAction,
  createAction,
  EmptyState,
  Failure,
  Icon,
  IconButton,
  isProblem,
  momentText,
  Page,
  PagedRows,
  showToast,
  usePageTitle,
  whenText,
} from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { api, createPagedQuery, type Schemas } from '../../api/index.js'
import { iconOf, placeText } from './file-row.js'
import { nameOf } from './paths.js'
import { t } from './texts.js'

type Binned = Schemas['BinnedFile']

/** What was deleted: brought back, or deleted for good. */
export function Bin(): JSX.Element {
  usePageTitle(() => t('bin'))
  const list = createPagedQuery<Binned>({
    key: () => ['bin'],
    read: (cursor, signal) => api.get('/api/files/bin', { query: { limit: 100, ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: ({ id }) => id,
  })
  const change = createAction((work: () => Promise<void>) => work(), { concurrent: true })
  const failure = (): unknown => (isProblem(change.failure(), 'file_conflict') ? new Error(t('restore_taken')) : change.failure())
  const restore = (file: Binned) =>
    change.run(async () => {
      await api.post('/api/files/bin/{entry_id}/restore', { path: { entry_id: file.id } })
      list.remove(file.id)
      showToast(t('restored', { name: nameOf(file.path) }))
    })
  const remove = (file: Binned) =>
    change.run(async () => {
      const name = nameOf(file.path)
      const yes = await confirmAction({
        title: t('delete_question', { name }),
        text: t('delete_text'),
        action: t('delete_action', { name }),
        keep: t('keep'),
      })
      if (!yes) return
      await api.delete('/api/files/bin/{entry_id}', { path: { entry_id: file.id } })
      list.remove(file.id)
      showToast(t('deleted', { name }))
    })
  const empty = () =>
    change.run(async () => {
      const yes = await confirmAction({ title: t('empty_question'), text: t('empty_warning'), action: t('empty_bin'), keep: t('keep_all') })
      if (!yes) return
      await api.delete('/api/files/bin')
      await list.reload()
      showToast(t('emptied'))
    })
  return (
    <Page
      title={t('bin')}
      lead={t('bin_lead')}
      actions={
        <Show when={list.items().length > 0}>
          <Button kind="danger" icon="trash" onClick={() => void empty()}>
            {t('empty_bin')}
          </Button>
        </Show>
      }
    >
      <nav class="files-crumbs small" aria-label={t('place')}>
        <a href="/files">{t('own_files')}</a>
        <span class="t3" aria-hidden="true">
          /
        </span>
        <span aria-current="page">{t('bin')}</span>
      </nav>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <PagedRows list={list} label={t('bin')} empty={<EmptyState title={t('bin_empty')} text={t('bin_empty_text')} />}>
        {(file) => (
          <div class="item">
            <Icon name={iconOf({ kind: file.kind, name: nameOf(file.path) })} />
            <span class="grow files-name files-binned">
              <bdi>{nameOf(file.path)}</bdi>
              <span class="sub cut">{t('was_in', { folder: placeText(file.path) })}</span>
            </span>
            <Show when={file.kind === 'file'}>
              <span class="meta">{bytesText(file.size)}</span>
            </Show>
            <span class="meta files-when" title={momentText(file.deleted_at)}>
              {whenText(file.deleted_at)}
            </span>
            <IconButton
              icon="arrow-back-up"
              size="small"
              name={t('restore_action', { name: nameOf(file.path) })}
              onClick={() => void restore(file)}
            />
            <IconButton
              icon="trash"
              size="small"
              name={t('delete_action', { name: nameOf(file.path) })}
              onClick={() => void remove(file)}
            />
          </div>
        )}
      </PagedRows>
    </Page>
  )
}
