import { Button, createAction, Dialog, errorText, Failure, Icon, isProblem, Skeleton, commonText as ui } from '@agent-service/sdk/web'
import { VirtualRows } from '@agent-service/sdk/web/lists'
import { createSignal, type JSX, Match, Switch } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { Crumbs } from './crumbs.js'
import { type Listed, readFolders } from './folders.js'
import { folderOf } from './paths.js'
import { folderName, workspacesRoot } from './roots.js'
import { t } from './texts.js'

/** Chooses the folder that an entry moves into, beginning where it is. */
export function MoveDialog(props: {
  readonly file: Listed
  readonly onClose: () => void
  readonly onMove: (folder: string) => Promise<void>
}): JSX.Element {
  const [folder, setFolder] = createSignal(folderOf(props.file.path))
  const folders = createQuery({ key: () => ['folders', folder()], read: (signal) => readFolders(folder(), signal) })
  const found = (): readonly Listed[] | undefined => folders.value()?.filter(({ path }) => path !== props.file.path)
  const move = createAction(async () => {
    await props.onMove(folder())
    props.onClose()
  })
  const problem = (): string | undefined => {
    const error = move.failure()
    if (error === undefined) return undefined
    return isProblem(error, 'file_conflict') ? t('name_taken') : errorText(error)
  }
  const open = (path: string): void => {
    move.clear()
    setFolder(path)
  }
  return (
    <Dialog title={t('move_title', { name: props.file.name })} onClose={props.onClose}>
      <div class="body">
        <Crumbs path={folder()} onOpen={open} />
        <div class="files-folders">
          <Switch fallback={<Skeleton lines={3} />}>
            <Match when={folders.error()}>{(error) => <Failure error={error()} onRetry={() => void folders.reload()} />}</Match>
            <Match when={found()?.length === 0}>
              <p class="t2 files-no-folders">{t('no_folders')}</p>
            </Match>
            <Match when={found()}>
              {(shown) => (
                <VirtualRows items={shown()} label={t('folders')} text={({ path }) => folderName(path)} entry="button">
                  {(each) => (
                    <button type="button" class="item files-open" onClick={() => open(each.path)}>
                      <Icon name="folder" />
                      <bdi class="grow cut">{folderName(each.path)}</bdi>
                      <Icon name="chevron-right" flip />
                    </button>
                  )}
                </VirtualRows>
              )}
            </Match>
          </Switch>
        </div>
        <p class="help err" role="alert">
          {problem()}
        </p>
        <footer>
          <Button kind="quiet" onClick={props.onClose}>
            {ui('cancel')}
          </Button>
          <Button
            kind="main"
            busy={move.busy()}
            disabled={folder() === folderOf(props.file.path) || folder() === workspacesRoot}
            onClick={() => void move.run()}
          >
            {t('move_here')}
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}
