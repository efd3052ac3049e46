import './composer.css'
import {
  Button,
  compactText,
  createAction,
  errorText,
  IconButton,
  lazyPart,
  Mark,
  numberText,
  recognitionOf,
  showToast,
} from '@agent-service/sdk/web'
import { createEffect, type JSX, on, onMount, Show } from 'solid-js'
import { agentOf } from '../choices/choices.js'
import type { AttachedFile } from '../outbox/outbox.js'
import { AttachmentChips } from './attachment-chips.js'
import type { Draft } from './draft.js'
import { readPaste } from './pasted-files.js'
import { createSlash } from './slash/slash.js'
import { t } from './texts.js'

const Dictation = lazyPart(
  () => import('./dictation/dictation.js'),
  (part) => part.Dictation,
)

/** What is written, with its files, once it is sent. */
export interface Written {
  readonly content: string
  readonly attachments: readonly AttachedFile[]
}

/** How full the window of the model is. */
export interface ContextShown {
  readonly used: number
  readonly window: number
  /** From here on older messages are summarised. */
  readonly compactAbove: number
}

/** Text and files for the agent. What is typed outlives a reload of the tab. */
export function Composer(props: {
  readonly draft: Draft
  readonly label: string
  readonly placeholder: string
  readonly rows?: number
  readonly autofocus?: boolean
  readonly running?: boolean
  readonly stopping?: boolean
  readonly onStop?: () => Promise<void>
  readonly onSend: (written: Written) => void
  /** The agent that answers, if that is known. */
  readonly agentId?: string | undefined
  /** The choice of agent and model. */
  readonly choice?: JSX.Element
  readonly context?: ContextShown | undefined
}): JSX.Element {
  const { text, setText, attachments } = props.draft
  const stopping = createAction(async () => await props.onStop?.())
  let picker: HTMLInputElement | undefined
  let field: HTMLTextAreaElement | undefined
  onMount(() => {
    if (props.autofocus && !document.querySelector('dialog[open]')) field?.focus({ preventScroll: true })
  })
  createEffect(on(() => props.agentId, attachments.answeredBy))
  const slash = createSlash({
    field: () => field,
    setText,
    agentId: () => props.agentId,
    skills: () => agentOf(props.agentId)?.skills ?? [],
    attach: () => picker?.click(),
  })
  const problem = (): string | undefined => {
    if (stopping.failure() !== undefined) return errorText(stopping.failure())
    if (attachments.hasFailed() && (text().trim() !== '' || attachments.items().length > 1)) return t('remove_failed')
    return undefined
  }
  const isReady = (): boolean =>
    (text().trim() !== '' || attachments.items().some(({ state }) => state === 'done')) &&
    !attachments.isUploading() &&
    !attachments.hasFailed()
  const send = (): void => {
    if (!isReady()) return
    props.onSend({ content: text().trim(), attachments: attachments.take() })
    setText('')
    stopping.clear()
    field?.focus({ preventScroll: true })
  }
  const paste = (event: ClipboardEvent): void => {
    if (!event.clipboardData) return
    const { files, hasText, pictures } = readPaste(event.clipboardData)
    if (files.length > 0 && !hasText) event.preventDefault()
    attachments.add(files)
    if (pictures.length > 0)
      showToast(t('pasted_as_text'), { mark: 'dot', action: { label: t('attach_picture'), run: () => attachments.add(pictures) } })
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <AttachmentChips attachments={attachments} />
      <textarea
        class="text"
        rows={props.rows ?? 1}
        ref={(element) => {
          field = element
          props.draft.attach(element)
        }}
        aria-label={props.label}
        placeholder={props.placeholder}
        value={text()}
        aria-autocomplete="list"
        aria-controls={slash.listId()}
        aria-activedescendant={slash.activeId()}
        onInput={(event) => {
          setText(event.currentTarget.value)
          slash.look()
        }}
        onBlur={slash.close}
        onPaste={paste}
        onKeyDown={(event) => {
          if (slash.takesKey(event)) return event.preventDefault()
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          send()
        }}
      />
      {slash.list()}
      <Show when={problem()}>
        {(words) => (
          <p class="composer-problem help err" role="alert">
            <Mark name="fail" />
            {words()}
          </p>
        )}
      </Show>
      <footer>
        <input
          type="file"
          multiple
          hidden
          aria-label={t('attach')}
          ref={(element) => {
            picker = element
          }}
          onChange={(event) => {
            attachments.add([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
        <IconButton icon="paperclip" size="small" name={t('attach')} onClick={() => picker?.click()} />
        <Show when={recognitionOf()}>
          <Dictation field={() => field} />
        </Show>
        {props.choice}
        <span class="grow" />
        <Show when={props.context}>
          {(context) => (
            <span class="ctx-in">
              <ContextMeter context={context()} />
              {numberText(shareOf(context()), { style: 'percent' })}
            </span>
          )}
        </Show>
        <Show when={props.running}>
          <Button size="small" icon="player-stop" busy={props.stopping ?? false} onClick={() => void stopping.run()}>
            <span class="stop-word">{props.stopping ? t('stopping') : t('stop')}</span>
          </Button>
        </Show>
        <IconButton
          icon="arrow-up"
          size="small"
          class="main"
          name={attachments.isUploading() ? t('waits_for_upload') : props.running ? t('send_after') : t('send')}
          disabled={!isReady()}
          onClick={send}
        />
      </footer>
    </form>
  )
}

const shareOf = ({ used, window }: ContextShown): number => Math.min(1, used / Math.max(1, window))

/** How full the context is; the notch is where older messages are summarised. */
function ContextMeter(props: { readonly context: ContextShown }): JSX.Element {
  const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`
  const notch = (): string => percent(Math.min(1, props.context.compactAbove / Math.max(1, props.context.window)))
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element cannot show the notch
    <span
      class="meter"
      classList={{ high: props.context.used >= props.context.compactAbove }}
      role="meter"
      aria-label={t('context')}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow={Math.round(shareOf(props.context) * 100)}
    >
      <i ref={(element) => createEffect(() => element.style.setProperty('--share', percent(shareOf(props.context))))} />
      <u ref={(element) => createEffect(() => element.style.setProperty('--at', notch()))} />
    </span>
  )
}

/** The context in words, beside the composer. */
export function ContextNote(props: { readonly context: ContextShown }): JSX.Element {
  return (
    <div class="ctx">
      <ContextMeter context={props.context} />
      <span>
        {t('context_of', {
          used: compactText(props.context.used),
          all: compactText(props.context.window),
        })}
      </span>
      <Show when={props.context.used >= props.context.compactAbove}>
        <span class="warn">{t('context_short')}</span>
      </Show>
    </div>
  )
}
