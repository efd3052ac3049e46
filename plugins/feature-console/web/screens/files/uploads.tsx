import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { isProblem } from '../../api/problem.js'
import { numberText } from '../../i18n/formats.js'
import { IconButton } from '../../ui/button.js'
import { Mark } from '../../ui/mark.js'
import { errorText } from '../../ui/states.js'
import { t } from './texts.js'
import { upload } from './upload.js'

interface Upload {
  readonly file: File
  readonly share: number
  readonly error?: unknown
}

/** Uploads into one folder: one after the other; what failed stays until it is dismissed. */
export function createUploads(folder: string, onDone: () => void) {
  const [uploads, setUploads] = createSignal<readonly Upload[]>([])
  const controller = new AbortController()
  onCleanup(() => controller.abort())
  const change = (file: File, next: Partial<Upload>): void =>
    void setUploads((all) => all.map((each) => (each.file === file ? { ...each, ...next } : each)))
  const dismiss = (file: File): void => void setUploads((all) => all.filter((each) => each.file !== file))
  const sendOne = async (file: File): Promise<void> => {
    try {
      await upload(`${folder}/${file.name}`, file, (share) => change(file, { share }), controller.signal)
      dismiss(file)
    } catch (error) {
      if (!isProblem(error, 'aborted')) change(file, { error })
    }
  }
  return {
    uploads,
    dismiss,
    async add(files: readonly File[]): Promise<void> {
      setUploads((all) => [...all, ...files.map((file) => ({ file, share: 0 }))])
      for (const file of files) await sendOne(file)
      if (!controller.signal.aborted) onDone()
    },
  }
}

/** What is on its way, and what did not arrive. */
export function UploadList(props: { readonly uploads: readonly Upload[]; readonly onDismiss: (file: File) => void }): JSX.Element {
  return (
    <Show when={props.uploads.length > 0}>
      <ul class="rows files-uploads" aria-label={t('uploads')}>
        <For each={props.uploads}>
          {(each) => (
            <li class="item">
              <Mark name={each.error === undefined ? 'run' : 'fail'} />
              <span class="grow">
                <bdi class="cut">{each.file.name}</bdi>
                <span class="sub">{each.error === undefined ? percent(each.share) : problemText(each.error)}</span>
              </span>
              <Show when={each.error !== undefined}>
                <IconButton
                  icon="x"
                  size="small"
                  name={t('dismiss', { name: each.file.name })}
                  onClick={() => props.onDismiss(each.file)}
                />
              </Show>
            </li>
          )}
        </For>
      </ul>
    </Show>
  )
}

const problemText = (error: unknown): string => (isProblem(error) && error.status === 412 ? t('exists') : errorText(error))

const percent = (share: number): string => numberText(share, { style: 'percent' })
