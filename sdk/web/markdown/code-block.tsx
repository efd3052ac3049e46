import '../highlight/code.css'
import { createEffect, createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { saveText } from '../core/csv.js'
import { loadPart } from '../core/load-part.js'
import { recall, remember } from '../core/storage.js'
import type { Diagram } from '../diagrams/diagram.js'
import type { ColouredText } from '../highlight/coloured-text.js'
import { codeFileName, namedIn } from '../highlight/file-name.js'
import { t } from '../highlight/texts.js'
import { IconButton } from '../ui/button.js'
import { CopyButton } from '../ui/copy-button.js'

export interface CodeBlockProps {
  readonly source: string
  readonly language: string | undefined
  /** What stands behind the fence, with the language; it may name a file. */
  readonly info?: string | undefined
  /** While it is open, its source grows at the end. */
  readonly open: boolean
}

const wrapKey = 'code-wrap'
/** Whether long lines are wrapped, in all blocks of this browser. */
const [isWrapped, setWrapped] = createSignal(recall(wrapKey) === 'on')

function toggleWrap(): void {
  setWrapped(!isWrapped())
  remember(wrapKey, isWrapped() ? 'on' : undefined)
}

/** Code between fences; a diagram, once its source is complete, as a picture. */
export function CodeBlock(props: CodeBlockProps): JSX.Element {
  const [drawn, setDrawn] = createSignal<typeof Diagram>()
  const isDiagram = (): boolean => props.language?.toLowerCase() === 'mermaid' && !props.open
  createEffect(() => {
    if (!isDiagram() || drawn()) return
    loadPart(() => import('../diagrams/diagram.js')).then(
      ({ Diagram }) => void setDrawn(() => Diagram),
      // The source can be read as well; the next diagram asks again.
      () => undefined,
    )
  })
  return (
    <figure class="code" classList={{ wrapped: isWrapped() }}>
      <Show when={isDiagram() && drawn()} fallback={<ColouredCode {...props} />} keyed>
        {(Drawn) => <Drawn source={props.source} code={() => <Code {...props} />} />}
      </Show>
    </figure>
  )
}

/** Code in colours below its language, with Copy, Wrap and Download. */
function ColouredCode(props: CodeBlockProps): JSX.Element {
  const title = (): string => namedIn(props.info) ?? props.language ?? t('code')
  const save = async (): Promise<void> => {
    const name = await loadPart(() => import('../highlight/languages.js')).then(
      ({ extensionOf }) => codeFileName(props.info, extensionOf(props.language)),
      () => codeFileName(props.info, 'txt'),
    )
    saveText(name, props.source, 'text/plain;charset=utf-8')
  }
  return (
    <>
      <header>
        <span class="code-title" translate={title() === t('code') ? undefined : 'no'}>
          <bdi>{title()}</bdi>
        </span>
        <span class="code-tools">
          <IconButton icon="text-wrap" name={t('wrap')} size="small" pressed={isWrapped()} onClick={toggleWrap} />
          <Show when={!props.open}>
            <IconButton icon="download" name={t('save_code')} size="small" onClick={() => void save()} />
          </Show>
          <CopyButton text={() => props.source} label={t('copy_code')} />
        </span>
      </header>
      <Code {...props} />
    </>
  )
}

/** The code alone; plain until its colours have been loaded, and where its language has none. */
function Code(props: CodeBlockProps): JSX.Element {
  const code = document.createElement('code')
  code.translate = false
  const [coloured, setColoured] = createSignal<ColouredText>()
  loadPart(() => import('../highlight/coloured-text.js')).then(
    ({ ColouredText }) => void setColoured(new ColouredText(code)),
    // Without colours it can be read as well; the next block asks for them again.
    () => undefined,
  )
  createEffect(() => {
    const writer = coloured()
    if (writer) writer.write(props.source, !props.open)
    else code.textContent = props.source
  })
  createEffect(() => void coloured()?.colourAs(props.language))
  onCleanup(() => coloured()?.stop())
  return (
    <pre tabindex="0">
      {code}
      <Show when={props.open}>
        <span class="caret" />
      </Show>
    </pre>
  )
}
