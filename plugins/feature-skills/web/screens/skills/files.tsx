import {
  addressOf,
  Button,
  bytesText,
  confirmAction,
  createAction,
  errorText,
  Failure,
  guardLeaving,
  IconButton,
  isProblem,
  Skeleton,
  showToast,
  TextArea,
  TextField,
} from '@agent-service/sdk/web'
import { createForm, FormDialog } from '@agent-service/sdk/web/forms'
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { createQuery } from '../../api/index.js'
import { contentAddress, keyOf, type OpenFile, readFile, removeFile, type SkillDetails, type SkillPlace, writeFile } from './skill.js'
import { t } from './texts.js'

interface FilesProps {
  readonly place: SkillPlace
  readonly files: SkillDetails['files']
  readonly mayChange: boolean
}

/** The files of a skill; one of them is open. */
export function Files(props: FilesProps): JSX.Element {
  const [path, setPath] = createSignal('SKILL.md')
  const [adding, setAdding] = createSignal(false)
  const [dirty, setDirty] = createSignal(false)
  const mayLeave = async (): Promise<boolean> =>
    !dirty() || confirmAction({ title: t('discard_question'), text: t('discard_text'), action: t('discard'), keep: t('edit_keep') })
  onCleanup(guardLeaving(mayLeave))
  const show = async (next: string): Promise<void> => {
    if (next === path() || !(await mayLeave())) return
    setDirty(false)
    setPath(next)
  }
  const remove = createAction(
    async (file: string) => {
      await removeFile(props.place, file)
      if (file !== path()) return
      setDirty(false)
      setPath('SKILL.md')
    },
    { concurrent: true },
  )
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
      <Show when={remove.failure()}>{(error) => <Failure error={error()} />}</Show>
      <ul class="skills-files">
        <For each={props.files}>
          {(file) => (
            <li classList={{ open: file.path === path() }}>
              <button type="button" class="skills-open mono" aria-pressed={file.path === path()} onClick={() => void show(file.path)}>
                <bdi>{file.path}</bdi>
              </button>
              <span class="meta">{bytesText(file.size)}</span>
              <Show when={props.mayChange && file.path !== 'SKILL.md'}>
                <IconButton
                  icon="trash"
                  size="small"
                  name={t('remove_file', { path: file.path })}
                  onClick={() => void remove.run(file.path)}
                />
              </Show>
            </li>
          )}
        </For>
      </ul>
      <Show when={path()} keyed>
        {(shown) => <Editor {...props} path={shown} onDirty={setDirty} />}
      </Show>
      <Show when={adding()}>
        <AddDialog place={props.place} onClose={() => setAdding(false)} onAdded={(added) => void show(added)} />
      </Show>
    </>
  )
}

function Editor(props: FilesProps & { readonly path: string; readonly onDirty: (dirty: boolean) => void }): JSX.Element {
  const file = createQuery({
    key: () => ['file', ...keyOf(props.place), props.path],
    read: (signal) => readFile(props.place, props.path, signal),
    follow: false,
  })
  const [text, setText] = createSignal<string>()
  const current = (): string => text() ?? file.value()?.text ?? ''
  const edit = (next: string): void => {
    setText(next)
    saving.clear()
    props.onDirty(next !== file.value()?.text)
  }
  const saving = createAction(async ({ etag }: OpenFile) => {
    const written = current()
    await writeFile(props.place, props.path, written, etag)
    file.set(await readFile(props.place, props.path, new AbortController().signal))
    if (text() === written) setText(undefined)
    props.onDirty(text() !== undefined)
    showToast(t('file_saved', { path: props.path }))
  })
  const problem = (): string | undefined => {
    const error = saving.failure()
    if (error === undefined) return undefined
    return isProblem(error, 'precondition_failed') ? t('stale') : errorText(error)
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
            <Button
              kind="main"
              busy={saving.busy()}
              disabled={text() === undefined || text() === opened().text}
              onClick={() => void saving.run(opened())}
            >
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
  const form = createForm({
    initial: { path: '' },
    codes: { skill_refused: '/path', skill_invalid: '/path' },
    check: ({ path }) => (path.trim() === '' ? { '/path': t('file_help') } : {}),
    async submit({ path }) {
      await writeFile(props.place, path.trim(), '')
      props.onClose()
      props.onAdded(path.trim())
    },
  })
  return (
    <FormDialog form={form} title={t('add_file')} action={t('add_file')} dismissible onClose={props.onClose}>
      <TextField label={t('file_name')} help={t('file_help')} autofocus mono maxLength={200} {...form.field('path')} />
    </FormDialog>
  )
}
