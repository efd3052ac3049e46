import './files.css'
import {
  addEntryKeys,
  Button,
  ButtonLink,
  confirmAction,
  createAction,
  currentPath,
  currentQuery,
  EmptyState,
  Failure,
  fileAddress,
  folderAddress,
  isProblem,
  lazyPart,
  navigate,
  Page,
  PagedRows,
  Routes,
  route,
  type ScreenProps,
  showToast,
  commonText as ui,
} from '@agent-service/sdk/web'
import { VirtualRows } from '@agent-service/sdk/web/lists'
import type { ShownFile } from '@agent-service/sdk/web/preview'
import { createMemo, createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { api, createPagedQuery, createQuery, invalidate } from '../../api/index.js'
import { Bin } from './bin.js'
import { createUploads } from './create-uploads.js'
import { Crumbs } from './crumbs.js'
import { FileRow } from './file-row.js'
import { FolderTree, RootChoice, RootIcon } from './folder-tree.js'
import { isUnmade, type Listed } from './folders.js'
import { MoveDialog } from './move-dialog.js'
import { NameDialog } from './name-dialog.js'
import { binPath, copyNames, folderOf, isName } from './paths.js'
import { Quota } from './quota.js'
import { folderName, isOwn, ownRoot, type Root, roots, rootsQuery, workspacesRoot } from './roots.js'
import { Search } from './search.js'
import { t } from './texts.js'
import { UploadList } from './uploads.js'

const Preview = lazyPart(
  () => import('./preview.js'),
  (module) => module.Preview,
)

/** The person's files and the workspaces of their agents, one folder at a time, and the bin. */
export default function Files(props: ScreenProps): JSX.Element {
  const first = (): string => (currentPath().startsWith(`/${workspacesRoot}`) ? workspacesRoot : ownRoot)
  const folder = (): string => [first(), ...(props.params['rest'] ?? '').split('/').filter(Boolean)].join('/')
  // A person has their own files without it.
  void rootsQuery.read()
  return (
    <Routes
      of={[route(binPath, () => <Bin />)]}
      fallback={
        <div class="files-layout">
          <FolderTree current={folder()} />
          <div class="files-place">
            <Show when={rootsQuery.error()}>{(error) => <Failure error={error()} onRetry={() => void rootsQuery.read()} />}</Show>
            <Show when={folder()} keyed>
              {(path) => (
                <Show when={path !== workspacesRoot} fallback={<Workspaces />}>
                  <Folder path={path} />
                </Show>
              )}
            </Show>
          </div>
        </div>
      }
    />
  )
}

/** The workspaces of all agents. */
function Workspaces(): JSX.Element {
  const all = (): readonly Root[] => roots().filter(({ path }) => path !== ownRoot)
  return (
    <Page title={t('workspaces')} lead={t('workspaces_lead')}>
      <Show when={all().length > 0} fallback={<EmptyState title={t('no_workspaces')} text={t('no_workspaces_text')} />}>
        <VirtualRows items={all()} label={t('workspaces')} text={({ path }) => folderName(path)} rowClass="item" entry="a">
          {(root) => (
            <>
              <RootIcon path={root.path} />
              <a class="grow files-open" href={folderAddress(root.path)}>
                <bdi>{folderName(root.path)}</bdi>
              </a>
              <Show when={!root.agent}>
                <span class="meta">{t('former')}</span>
              </Show>
            </>
          )}
        </VirtualRows>
      </Show>
    </Page>
  )
}

/** Files have changed, in whatever folder; of folders, the tree too. */
const changed = ({ kind }: Pick<Listed, 'kind'>): void =>
  invalidate(['folder'], ['found'], ['usage'], ...(kind === 'folder' ? [['folders']] : []))

type Asked = { readonly what: 'folder' } | { readonly what: 'rename' | 'move'; readonly file: Listed }

function Folder(props: { readonly path: string }): JSX.Element {
  const [over, setOver] = createSignal(false)
  const named = createMemo(() => currentQuery().get('show') ?? '')
  const shown = createMemo((): ShownFile | undefined => (isName(named()) ? { name: named(), path: `${props.path}/${named()}` } : undefined))
  const [asked, setAsked] = createSignal<Asked>()
  let picker: HTMLInputElement | undefined
  const list = createPagedQuery<Listed>({
    key: () => ['folder', props.path],
    read: async (cursor, signal) => {
      try {
        return await api.get('/api/files', { query: { path: props.path, limit: 100, ...(cursor !== undefined && { cursor }) }, signal })
      } catch (error) {
        // Before the first file there is no folder yet.
        if (isUnmade(props.path) && isProblem(error, 'not_found')) return { items: [], next_cursor: null }
        throw error
      }
    },
    idOf: (file) => file.path,
  })
  const quota = createQuery({ key: () => ['usage'], read: (signal) => api.get('/api/files/usage', { signal }) })
  const uploads = createUploads(props.path, () => changed({ kind: 'file' }))
  // Without it the page works too; the list is there for what was begun earlier.
  const unfinished = createAction(uploads.loadUnfinished)
  void unfinished.run()

  const change = createAction((work: () => Promise<void>) => work(), { concurrent: true })
  const move = async (file: Listed, to: string): Promise<void> => {
    await api.post('/api/files/move', { body: { from: file.path, to } })
    changed(file)
  }
  const moveInto = async (file: Listed, folder: string): Promise<void> => {
    await move(file, `${folder}/${file.name}`)
    showToast(t('moved', { name: file.name }), {
      action: { label: ui('undo'), run: () => void change.run(() => move({ ...file, path: `${folder}/${file.name}` }, file.path)) },
    })
  }
  const copy = async (file: Listed): Promise<void> => {
    for (const name of copyNames(file.name)) {
      try {
        await api.post('/api/files/copy', { body: { from: file.path, to: `${folderOf(file.path)}/${name}` } })
        break
      } catch (error) {
        if (!isProblem(error, 'file_conflict')) throw error
      }
    }
    changed(file)
    showToast(t('copied', { name: file.name }))
  }
  const makeFolder = async (name: string): Promise<void> => {
    await api.post('/api/files/folders', { body: { path: `${props.path}/${name}` } })
    changed({ kind: 'folder' })
  }
  const bin = async (file: Listed): Promise<void> => {
    if (!isOwn(file.path)) return deleteNow(file, t('no_bin'))
    try {
      const { id } = await api.post('/api/files/bin', { body: { path: file.path } })
      list.remove(file.path)
      changed(file)
      showToast(t('binned', { name: file.name }), { action: { label: ui('undo'), run: () => void change.run(() => restore(file, id)) } })
    } catch (error) {
      // Nothing more can be stored, not even the note of where the file was.
      if (!isProblem(error, 'quota_exceeded') && !isProblem(error, 'storage_full')) throw error
      await deleteNow(file, t('bin_full'))
    }
  }
  const restore = async (file: Listed, id: string): Promise<void> => {
    await api.post('/api/files/bin/{entry_id}/restore', { path: { entry_id: id } })
    invalidate(['bin'])
    changed(file)
  }
  /** `why`: there is no bin for it. */
  const deleteNow = async (file: Listed, why: string): Promise<void> => {
    const action = t('delete_action', { name: file.name })
    const yes = await confirmAction({ title: t('delete_question', { name: file.name }), text: why, action, keep: t('keep') })
    if (!yes) return
    try {
      await api.delete('/api/files/content', { query: { path: file.path } })
    } catch (error) {
      const isFull = file.kind === 'folder' && isProblem(error, 'file_conflict')
      throw isFull ? new Error(t('folder_not_empty', { name: file.name })) : error
    }
    list.remove(file.path)
    changed(file)
    showToast(t('deleted', { name: file.name }))
  }
  const row = (file: Listed, withFolder = false): JSX.Element => (
    <FileRow
      file={file}
      withFolder={withFolder}
      onShow={() => void navigate(fileAddress(file.path))}
      onRename={() => setAsked({ what: 'rename', file })}
      onMove={() => setAsked({ what: 'move', file })}
      onCopy={() => void change.run(() => copy(file))}
      onBin={() => void change.run(() => bin(file))}
    />
  )
  const isTop = (): boolean => props.path === ownRoot
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the button does the same
    <div
      class="files-drop"
      ref={(place) =>
        addEntryKeys(place, { entries: () => [...place.querySelectorAll<HTMLElement>('.files-name > .files-open')], row: 'li' })
      }
      classList={{ over: over() }}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        setOver(false)
        uploads.add([...event.dataTransfer.files])
      }}
    >
      <Page
        title={isTop() ? t('title') : folderName(props.path)}
        lead={<Quota usage={quota.value()} />}
        actions={
          <>
            <Show when={isOwn(props.path)}>
              <ButtonLink href={binPath} kind="quiet" icon="trash">
                {t('bin')}
              </ButtonLink>
            </Show>
            <Button icon="folder-plus" onClick={() => setAsked({ what: 'folder' })}>
              {t('new_folder')}
            </Button>
            <Button kind="main" icon="upload" onClick={() => picker?.click()}>
              {t('upload')}
            </Button>
          </>
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
            uploads.add(files)
          }}
        />
        <RootChoice current={props.path} />
        <Show when={!isTop()}>
          <Crumbs path={props.path} />
        </Show>
        <Show when={change.failure() ?? unfinished.failure()}>{(error) => <Failure error={error()} />}</Show>
        <UploadList uploads={uploads} onChoose={() => picker?.click()} />
        <Search folder={props.path} row={(file) => row(file, true)}>
          <PagedRows
            list={list}
            label={t('title')}
            empty={<EmptyState title={t('empty')} text={t(isOwn(props.path) ? 'empty_text' : 'empty_workspace')} />}
          >
            {(file) => row(file)}
          </PagedRows>
        </Search>
        <p class="meta files-hint">{t('hint')}</p>
        <Show when={shown()} keyed>
          {(file) => <Preview file={file} onClose={() => void navigate(folderAddress(props.path))} />}
        </Show>
        <Show when={asked()} keyed>
          {(question) => (
            <Question
              asked={question}
              onClose={() => setAsked(undefined)}
              onFolder={makeFolder}
              onRename={(file, name) => move(file, `${folderOf(file.path)}/${name}`)}
              onMove={moveInto}
            />
          )}
        </Show>
      </Page>
    </div>
  )
}

function Question(props: {
  readonly asked: Asked
  readonly onClose: () => void
  readonly onFolder: (name: string) => Promise<void>
  readonly onRename: (file: Listed, name: string) => Promise<void>
  readonly onMove: (file: Listed, folder: string) => Promise<void>
}): JSX.Element {
  const of = (what: 'rename' | 'move'): Listed | undefined =>
    'file' in props.asked && props.asked.what === what ? props.asked.file : undefined
  return (
    <Switch
      fallback={<NameDialog title={t('new_folder')} action={t('make_folder')} name="" onClose={props.onClose} onSubmit={props.onFolder} />}
    >
      <Match when={of('rename')}>
        {(file) => (
          <NameDialog
            title={t('rename_title', { name: file().name })}
            action={t('rename')}
            name={file().name}
            onClose={props.onClose}
            onSubmit={(name) => props.onRename(file(), name)}
          />
        )}
      </Match>
      <Match when={of('move')}>
        {(file) => <MoveDialog file={file()} onClose={props.onClose} onMove={(folder) => props.onMove(file(), folder)} />}
      </Match>
    </Switch>
  )
}
