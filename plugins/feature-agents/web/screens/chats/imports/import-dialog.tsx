import './imports.css'
import { Button, Dialog, Failure, Mark, numberText } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, Match, onCleanup, onMount, Show, Switch } from 'solid-js'
import { onEvent } from '../../../api/index.js'
import { beginAnew, cancelImport, currentImport, type Import, importFile, isOver, readImports, takeProgress } from './current-import.js'
import { reasonText } from './reasons-de.js'
import { t } from './texts.js'

const products = [
  ['chatgpt', 'ChatGPT'],
  ['claude', 'Claude'],
  ['open-webui', 'Open WebUI'],
  ['librechat', 'LibreChat'],
] as const

/** Imports the chats of another product: the file, the progress, and what came of it. */
export function ImportDialog(props: { readonly onClose: () => void }): JSX.Element {
  const { sending, current, error } = currentImport
  onMount(() => void readImports())
  onCleanup(onEvent('chat_import.updated', ({ data }) => takeProgress(data.import)))
  return (
    <Dialog title={t('title')} wide onClose={props.onClose}>
      <div class="imports">
        <Show when={error()}>{(cause) => <Failure error={cause()} />}</Show>
        <Switch fallback={<Choice />}>
          <Match when={sending()}>
            {(file) => (
              <>
                <p>{t('sending', { name: file().name })}</p>
                <Bar share={file().share} />
              </>
            )}
          </Match>
          <Match when={current()}>{(found) => <Shown found={found()} />}</Match>
        </Switch>
      </div>
      <footer>
        <Show when={!sending() && current()}>
          {(found) => (
            <Show
              when={isOver(found())}
              fallback={
                <Button kind="danger" onClick={() => cancelImport(found().id)}>
                  {t('cancel')}
                </Button>
              }
            >
              <Button onClick={beginAnew}>{t('another')}</Button>
            </Show>
          )}
        </Show>
        <span class="grow" />
        <Button kind="quiet" onClick={() => props.onClose()}>
          {t('close')}
        </Button>
      </footer>
    </Dialog>
  )
}

/** Where the file goes, and where it comes from. */
function Choice(): JSX.Element {
  const [over, setOver] = createSignal(false)
  let input: HTMLInputElement | undefined
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0]
    if (file) importFile(file)
  }
  return (
    <>
      <p class="t2">{t('lead')}</p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keyboard */}
      <div
        class="imports-drop"
        classList={{ over: over() }}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer?.files)
        }}
      >
        <p>{t('drop')}</p>
        <Button kind="main" icon="upload" autofocus onClick={() => input?.click()}>
          {t('choose')}
        </Button>
        <input
          ref={(element) => {
            input = element
          }}
          type="file"
          hidden
          accept=".zip,.json,application/zip,application/json"
          onChange={(event) => take(event.currentTarget.files)}
        />
      </div>
      <h3 class="h3">{t('known')}</h3>
      <dl class="imports-known">
        <For each={products}>
          {([product, name]) => (
            <>
              <dt>{name}</dt>
              <dd>{t(product)}</dd>
            </>
          )}
        </For>
      </dl>
    </>
  )
}

const Bar = (props: { readonly share: number }): JSX.Element => <progress max="1" value={props.share} aria-label={t('progress')} />

function Shown(props: { readonly found: Import }): JSX.Element {
  const share = (): number => (props.found.bytes_total === 0 ? 0 : props.found.bytes_done / props.found.bytes_total)
  return (
    <Switch>
      <Match when={!isOver(props.found)}>
        <p>{props.found.state === 'waiting' ? t('waiting') : t('running')}</p>
        <Bar share={share()} />
        <p class="t2 small">{counted('so_far', props.found.imported)}</p>
      </Match>
      <Match when={isOver(props.found)}>
        <p class="imports-end">
          <Mark name={props.found.state === 'done' ? 'done' : props.found.state === 'failed' ? 'fail' : 'warn'} />
          <b>{props.found.state === 'done' ? t('done') : props.found.state === 'failed' ? t('failed') : t('cancelled')}</b>
        </p>
        <Show when={props.found.failure}>
          {(reason) => (
            <p class="danger" lang={reasonText(reason()).lang}>
              {reasonText(reason()).text}
            </p>
          )}
        </Show>
        <Show when={props.found.state !== 'failed' || props.found.imported > 0}>
          <ul class="imports-counts">
            <li>{counted('done_count', props.found.imported)}</li>
            <Show when={props.found.existing > 0}>
              <li>{counted('existing', props.found.existing)}</li>
            </Show>
            <Show when={props.found.skipped > 0}>
              <li>{counted('skipped', props.found.skipped)}</li>
            </Show>
          </ul>
        </Show>
        <Show when={props.found.problems.length > 0}>
          <h3 class="h3">{t('problems')}</h3>
          <ul class="imports-problems">
            <For each={props.found.problems}>
              {(problem) => (
                <li>
                  <b class="foreign">{placeOf(problem)}</b>
                  <span class="foreign" lang={reasonText(problem.message).lang}>
                    {reasonText(problem.message).text}
                  </span>
                </li>
              )}
            </For>
          </ul>
          <Show when={props.found.problems_left_out > 0}>
            <p class="t2 small">{t('more_problems', { n: numberText(props.found.problems_left_out) })}</p>
          </Show>
        </Show>
      </Match>
    </Switch>
  )
}

type Counted = 'so_far' | 'done_count' | 'existing' | 'skipped'
const counted = (key: Counted, n: number): string => (n === 1 ? t(`${key}_one`) : t(`${key}_other`, { n: numberText(n) }))

/** The file as the person named it: it was sent with the time before its name. */
function placeOf({ file: sent, chat, title }: Import['problems'][number]): string {
  const file = sent.replace(/^\d{4}-\d\d-\d\dT[\d-]+Z /, '')
  if (chat === null) return file
  return title === null ? t('file_place', { file, chat }) : t('file_place_titled', { file, chat, title })
}
