import {
  addressOf,
  Button,
  bytesText,
  confirmAction,
  createLoaded,
  Dialog,
  errorText,
  Failure,
  guardLeaving,
  IconButton,
  isProblem,
  Skeleton,
  showToast,
  TextArea,
  TextField,
  commonText as ui,
} from '@agent-service/sdk/web'
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { contentAddress, readFile, removeFile, type SkillDetails, type SkillPlace, writeFile } from './skill.js'
import { t } from './texts.js'

interface FilesProps {
  readonly place: SkillPlace
  readonly files: SkillDetails['files']
  readonly mayChange: boolean
  readonly onChanged: () => void
}

/** The files of a skill; one of them is open. */
export function Files(props: FilesProps): JSX.Element {
  const [path, setPath] = createSignal('SKILL.md')
  const [adding, setAdding] = createSignal(false)
  const [failure, setFailure] = createSignal<unknown>()
  const [dirty, setDirty] = createSignal(false)
  const mayLeave = async (): Promise<boolean> =>
    !dirty() || confirmAction({ title: t('discard_question'), text: t('discard_text'), action: t('discard'), keep: t('edit_keep') })
  onCleanup(guardLeaving(mayLeave))
  const show = async (next: string): Promise<void> => {
    if (next === path() || !(await mayLeave())) return
    setDirty(false)
    setPath(next)
  }
  const remove = async (file: string): Promise<void> => {
    setFailure(undefined)
    try {
      await removeFile(props.place, file)
      if (file === path()) {
        setDirty(false)
        setPath('SKILL.md')
      }
      props.onChanged()
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <>
      <div class="skills-head">
        <h2 class="h3">{t('files')}</h2>
        <Show when={props.mayChange}>
          <Button size="small" icon="plus" onClick={() => setAdding(true)}>
            {t('add_file')}
          </Button>
        </Show>
      </div>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <ul class="skills-files">
        <For each={props.files}>
          {(file) => (
            <li classList={{ open: file.path === path() }}>
              <button type="button" class="skills-open mono" aria-pressed={file.path === path()} onClick={() => void show(file.path)}>
                <bdi>{file.path}</bdi>
              </button>
              <span class="meta">{bytesText(file.size)}</span>
              <Show when={props.mayChange && file.path !== 'SKILL.md'}>
                <IconButton icon="trash" size="small" name={t('remove_file', { path: file.path })} onClick={() => void remove(file.path)} />
              </Show>
            </li>
          )}
        </For>
      </ul>
      <Show when={path()} keyed>
        {(shown) => <Editor {...props} path={shown} onDirty={setDirty} />}
      </Show>
      <Show when={adding()}>
        <AddDialog
          place={props.place}
          onClose={() => setAdding(false)}
          onAdded={(added) => {
            props.onChanged()
            void show(added)
          }}
        />
      </Show>
    </>
  )
}

function Editor(props: FilesProps & { readonly path: string; readonly onDirty: (dirty: boolean) => void }): JSX.Element {
  const file = createLoaded((signal) => readFile(props.place, props.path, signal))
  const [text, setText] = createSignal<string>()
  const [problem, setProblem] = createSignal<string>()
  const [busy, setBusy] = createSignal(false)
  const current = (): string => text() ?? file.value()?.text ?? ''
  const edit = (next: string): void => {
    setText(next)
    setProblem(undefined)
    props.onDirty(next !== file.value()?.text)
  }
  const save = async (): Promise<void> => {
    const opened = file.value()
    if (!opened || busy()) return
    setBusy(true)
    setProblem(undefined)
    const written = current()
    try {
      await writeFile(props.place, props.path, written, opened.etag)
      file.set(await readFile(props.place, props.path, new AbortController().signal))
      if (text() === written) setText(undefined)
      props.onDirty(text() !== undefined)
      showToast(t('file_saved', { path: props.path }))
      props.onChanged()
    } catch (error) {
      setProblem(isProblem(error, 'precondition_failed') ? t('stale') : errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Show
      when={file.value()}
      fallback={
        <Show when={file.error()} fallback={<Skeleton />}>
          {(error) => <Failure error={error()} onRetry={() => void file.reload()} />}
        </Show>
      }
    >
      {(opened) => (
        <Show
          when={opened().text !== undefined}
          fallback={
            <p class="skills-binary">
              {t('binary')}{' '}
              <a
                href={addressOf(contentAddress(props.place), {
                  query: { path: props.path, agent_id: props.place.source === 'agent' ? props.place.agentId : undefined },
                })}
              >
                {t('download')}
              </a>
            </p>
          }
        >
          <div class="skills-editor">
            <TextArea label={props.path} mono rows={22} value={current()} readOnly={!props.mayChange} onInput={edit} error={problem()} />
          </div>
          <Show when={props.mayChange}>
            <Button kind="main" busy={busy()} disabled={text() === undefined || text() === opened().text} onClick={() => void save()}>
              {t('save')}
            </Button>
          </Show>
        </Show>
      )}
    </Show>
  )
}

function AddDialog(props: {
  readonly place: SkillPlace
  readonly onClose: () => void
  readonly onAdded: (path: string) => void
}): JSX.Element {
  const [path, setPath] = createSignal('')
  const [problem, setProblem] = createSignal<string>()
  const [busy, setBusy] = createSignal(false)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const chosen = path().trim()
    if (chosen === '') return void setProblem(t('file_help'))
    setBusy(true)
    try {
      await writeFile(props.place, chosen, '')
      props.onClose()
      props.onAdded(chosen)
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('add_file')} onClose={props.onClose}>
      <form class="body" novalidate onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('file_name')}
          help={t('file_help')}
          autofocus
          mono
          maxLength={200}
          value={path()}
          onInput={setPath}
          error={problem()}
        />
        <footer>
          <Button kind="quiet" onClick={() => props.onClose()}>
            {ui('cancel')}
          </Button>
          <Button kind="main" type="submit" busy={busy()}>
            {t('add_file')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
