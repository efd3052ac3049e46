import './files.css'
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { createLoaded } from '../../api/loaded.js'
import { createPagedList } from '../../api/paged-list.js'
import { isProblem } from '../../api/problem.js'
import type { Schemas } from '../../api/types.js'
import type { ScreenProps } from '../../app/screen.js'
import { bytesText, momentText, numberText, whenText } from '../../i18n/formats.js'
import { Button, IconButton } from '../../ui/button.js'
import { confirmAction } from '../../ui/dialog.js'
import { Icon } from '../../ui/icon.js'
import type { IconName } from '../../ui/icons.js'
import { Mark } from '../../ui/mark.js'
import { showToast } from '../../ui/notices.js'
import { Page } from '../../ui/page.js'
import { PagedRows } from '../../ui/paged-rows.js'
import { EmptyState, errorText, Failure } from '../../ui/states.js'
import { Preview } from './preview.js'
import { t } from './texts.js'
import { upload } from './upload.js'

type Listed = Schemas['ListedFile']

interface Upload {
  readonly file: File
  readonly share: number
  readonly error?: unknown
}

/** The person's files, one folder at a time. */
export default function Files(props: ScreenProps): JSX.Element {
  const folder = (): string => ['files', ...(props.params['rest'] ?? '').split('/').filter(Boolean)].join('/')
  return (
    <Show when={folder()} keyed>
      {(path) => <Folder path={path} />}
    </Show>
  )
}

function Folder(props: { readonly path: string }): JSX.Element {
  const [uploads, setUploads] = createSignal<readonly Upload[]>([])
  const [over, setOver] = createSignal(false)
  const [shown, setShown] = createSignal<Listed>()
  const [failure, setFailure] = createSignal<unknown>()
  const controller = new AbortController()
  let picker: HTMLInputElement | undefined
  onCleanup(() => controller.abort())
  const list = createPagedList<Listed>({
    load: async (cursor) => {
      try {
        return await api.get('/api/files', { query: { path: props.path, limit: 100, ...(cursor !== undefined && { cursor }) } })
      } catch (error) {
        // Before the first upload there is no folder yet.
        if (props.path === 'files' && isProblem(error, 'not_found')) return { items: [], next_cursor: null }
        throw error
      }
    },
    idOf: (file) => file.path,
  })
  const quota = createLoaded((signal) => api.get('/api/files/usage', { signal }))
  const change = (file: File, next: Partial<Upload>): void =>
    void setUploads((all) => all.map((each) => (each.file === file ? { ...each, ...next } : each)))
  const sendOne = async (file: File): Promise<void> => {
    try {
      await upload(`${props.path}/${file.name}`, file, (share) => change(file, { share }), controller.signal)
      setUploads((all) => all.filter((each) => each.file !== file))
    } catch (error) {
      if (!isProblem(error, 'aborted')) change(file, { error })
    }
  }
  const add = async (files: readonly File[]): Promise<void> => {
    setUploads((all) => [...all, ...files.map((file) => ({ file, share: 0 }))])
    for (const file of files) await sendOne(file)
    await Promise.all([list.reload(), quota.reload()])
  }
  const remove = async (file: Listed): Promise<void> => {
    const yes = await confirmAction({
      title: t('delete_question', { name: file.name }),
      text: t('delete_text'),
      action: t('delete_action', { name: file.name }),
      keep: t('keep'),
    })
    if (!yes) return
    setFailure(undefined)
    try {
      const headers = file.etag === null ? {} : { 'if-match': file.etag }
      await api.delete('/api/files/content', { query: { path: file.path }, headers })
      list.remove(file.path)
      showToast(t('deleted', { name: file.name }))
      await quota.reload()
    } catch (error) {
      setFailure(error)
    }
  }
  const parts = (): readonly string[] => props.path.split('/')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the button does the same
    <div
      class="files-drop"
      classList={{ over: over() }}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void add([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <Page
        title={parts().length === 1 ? t('title') : (parts().at(-1) ?? '')}
        lead={<Quota usage={quota.value()} />}
        actions={
          <Button kind="main" icon="upload" onClick={() => picker?.click()}>
            {t('upload')}
          </Button>
        }
      >
        <input
          type="file"
          multiple
          hidden
          aria-label={t('upload')}
          ref={(element) => {
            picker = element
          }}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])]
            event.currentTarget.value = ''
            void add(files)
          }}
        />
        <Show when={parts().length > 1}>
          <nav class="files-crumbs small" aria-label={t('place')}>
            <For each={parts().slice(0, -1)}>
              {(part, index) => (
                <>
                  <a
                    href={hrefOf(
                      parts()
                        .slice(0, index() + 1)
                        .join('/'),
                    )}
                  >
                    {index() === 0 ? t('title') : part}
                  </a>
                  <span class="t3">/</span>
                </>
              )}
            </For>
            <span>{parts().at(-1)}</span>
          </nav>
        </Show>
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <Show when={uploads().length > 0}>
          <ul class="rows files-uploads" aria-label={t('uploads')}>
            <For each={uploads()}>
              {(each) => (
                <li class="item">
                  <Mark name={each.error === undefined ? 'run' : 'fail'} />
                  <span class="grow">
                    <bdi class="cut">{each.file.name}</bdi>
                    <span class="sub">{each.error === undefined ? percent(each.share) : uploadProblem(each.error)}</span>
                  </span>
                  <Show when={each.error !== undefined}>
                    <IconButton
                      icon="x"
                      size="small"
                      name={t('dismiss', { name: each.file.name })}
                      onClick={() => setUploads((all) => all.filter((other) => other.file !== each.file))}
                    />
                  </Show>
                </li>
              )}
            </For>
          </ul>
        </Show>
        <PagedRows list={list} label={t('title')} empty={<EmptyState title={t('empty')} text={t('empty_text')} />}>
          {(file) => <FileRow file={file} onShow={() => setShown(file)} onDelete={() => void remove(file)} />}
        </PagedRows>
        <p class="meta files-hint">{t('hint')}</p>
        <Show when={shown()} keyed>
          {(file) => <Preview file={file} onClose={() => setShown(undefined)} />}
        </Show>
      </Page>
    </div>
  )
}

function FileRow(props: { readonly file: Listed; readonly onShow: () => void; readonly onDelete: () => void }): JSX.Element {
  return (
    <div class="item">
      <Icon name={iconOf(props.file)} />
      <span class="grow files-name">
        <Show
          when={props.file.kind === 'folder'}
          fallback={
            <Show when={props.file.kind === 'file'} fallback={<bdi class="t2">{props.file.name}</bdi>}>
              <button type="button" class="files-open" onClick={() => props.onShow()}>
                <bdi>{props.file.name}</bdi>
              </button>
            </Show>
          }
        >
          <a class="files-open" href={hrefOf(props.file.path)}>
            <bdi>{props.file.name}</bdi>
          </a>
        </Show>
      </span>
      <Show when={props.file.kind === 'file'}>
        <span class="meta">{bytesText(props.file.size)}</span>
        <span class="meta files-when" title={momentText(props.file.modified_at)}>
          {whenText(props.file.modified_at)}
        </span>
        <IconButton icon="trash" size="small" name={t('delete_action', { name: props.file.name })} onClick={() => props.onDelete()} />
      </Show>
    </div>
  )
}

function Quota(props: { readonly usage: Schemas['StorageUsage'] | undefined }): JSX.Element {
  return (
    <Show when={props.usage} fallback={<>&nbsp;</>}>
      {(usage) => (
        <>
          {usage().max_bytes === null
            ? t('used', { used: bytesText(usage().used_bytes) })
            : t('used_of', { used: bytesText(usage().used_bytes), max: bytesText(usage().max_bytes ?? 0) })}
        </>
      )}
    </Show>
  )
}

const uploadProblem = (error: unknown): string => (isProblem(error) && error.status === 412 ? t('exists') : errorText(error))

const percent = (share: number): string => numberText(share, { style: 'percent' })

const hrefOf = (path: string): string => `/${path.split('/').map(encodeURIComponent).join('/')}`

function iconOf({ kind, name }: Listed): IconName {
  if (kind === 'folder') return 'folder'
  if (/\.(png|jpe?g|gif|webp|svg)$/i.test(name)) return 'photo'
  if (/\.(zip|gz|tar|7z)$/i.test(name)) return 'file-zip'
  return /\.(csv|tsv|xlsx?)$/i.test(name) ? 'table' : 'file-text'
}
