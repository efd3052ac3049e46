import { Button, createLoaded, Dialog, errorText, Failure, Icon, isProblem, Skeleton, commonText as ui } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Match, Switch } from 'solid-js'
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
  const [problem, setProblem] = createSignal<string>()
  const [busy, setBusy] = createSignal(false)
  const folders = createLoaded(async (signal) => (await readFolders(folder(), signal)).filter(({ path }) => path !== props.file.path))
  const open = (path: string): void => {
    setProblem(undefined)
    setFolder(path)
  }
  const move = async (): Promise<void> => {
    setBusy(true)
    try {
      await props.onMove(folder())
      props.onClose()
    } catch (error) {
      setProblem(isProblem(error, 'file_conflict') ? t('name_taken') : errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('move_title', { name: props.file.name })} onClose={props.onClose}>
      <div class="body">
        <Crumbs path={folder()} onOpen={open} />
        <ul class="rows files-folders" aria-label={t('folders')}>
          <Switch fallback={<Skeleton lines={3} />}>
            <Match when={folders.error()}>{(error) => <Failure error={error()} onRetry={() => void folders.reload()} />}</Match>
            <Match when={folders.value()?.length === 0}>
              <li class="t2 files-no-folders">{t('no_folders')}</li>
            </Match>
            <Match when={folders.value()}>
              {(found) => (
                <For each={found()}>
                  {(each) => (
                    <li>
                      <button type="button" class="item files-open" onClick={() => open(each.path)}>
                        <Icon name="folder" />
                        <bdi class="grow cut">{folderName(each.path)}</bdi>
                        <Icon name="chevron-right" flip />
                      </button>
                    </li>
                  )}
                </For>
              )}
            </Match>
          </Switch>
        </ul>
        <p class="help err" role="alert">
          {problem()}
        </p>
        <footer>
          <Button kind="quiet" onClick={props.onClose}>
            {ui('cancel')}
          </Button>
          <Button
            kind="main"
            busy={busy()}
            disabled={folder() === folderOf(props.file.path) || folder() === workspacesRoot}
            onClick={() => void move()}
          >
            {t('move_here')}
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}
