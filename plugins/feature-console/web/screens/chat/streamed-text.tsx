import { createEffect, createMemo, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { render } from 'solid-js/web'
import { Button } from '../../ui/button.js'
import { CodeBlock } from './code-block.js'
import { loadMarkdown, markdownNodes } from './markdown/load-markdown.js'
import { type Blocks, maxFormatted, noBlocks, splitBlocks } from './markdown/markdown-blocks.js'
import { showMaths } from './maths/show-maths.js'
import { t } from './texts.js'

/**
 * A text that may still grow. Each finished block is parsed once; the rest is one text node, to
 * which new letters are appended, not to be translated before it is finished. So is the rest of a very long text, until more of it is wanted.
 */
export function StreamedText(props: { readonly text: string; readonly open: boolean }): JSX.Element {
  const [wanted, setWanted] = createSignal(maxFormatted)
  const blocks = createMemo<Blocks>((before) => {
    const { text } = props
    const known = before.done.every(
      (block, index) => index < before.done.length - 1 || text.slice(before.end - block.length, before.end).endsWith(block),
    )
      ? before
      : noBlocks
    const split = splitBlocks(text, text.length < known.end ? noBlocks : known, wanted())
    if (props.open || split.end >= Math.min(text.length, wanted())) return split
    return { done: [...split.done, text.slice(split.end)], end: text.length }
  }, noBlocks)
  const tail = (): string => props.text.slice(blocks().end)
  const isCut = (): boolean => !props.open && tail() !== ''
  return (
    <>
      <div class="prose foreign">
        <For each={blocks().done}>{(block) => <Block source={block} />}</For>
        <Show when={props.open}>
          <Tail text={tail()} />
        </Show>
        <Show when={isCut()}>
          <p class="chat-tail">{tail()}</p>
        </Show>
      </div>
      <Show when={isCut()}>
        <p class="meta">
          {t('unformatted')}{' '}
          <Button size="small" kind="quiet" onClick={() => setWanted(blocks().end + maxFormatted)}>
            {t('format_more')}
          </Button>
        </p>
      </Show>
    </>
  )
}

function Tail(props: { readonly text: string }): JSX.Element {
  const node = document.createTextNode('')
  let written = ''
  createEffect(() => {
    const { text } = props
    // What stands there may have been replaced, by a translation or an extension.
    if (node.data === written && text.startsWith(written)) node.appendData(text.slice(written.length))
    else node.data = text
    written = text
  })
  const isCode = (): boolean => /^ {0,3}(```|~~~)/.test(props.text)
  return (
    <p class="chat-tail" classList={{ mono: isCode() }} translate="no">
      {node}
      <span class="caret" />
    </p>
  )
}

/** One finished block; plain text until the parser has arrived. */
function Block(props: { readonly source: string }): JSX.Element {
  void loadMarkdown()
  return (
    <Show when={markdownNodes()} fallback={<p class="chat-tail">{props.source}</p>}>
      {(parse) => <ParsedBlock fragment={parse()(props.source, 'message')} />}
    </Show>
  )
}

/** A block as it stands in the page: its code in `CodeBlock`, its tables in boxes that scroll. */
function ParsedBlock({ fragment }: { readonly fragment: DocumentFragment }): JSX.Element {
  for (const pre of fragment.querySelectorAll<HTMLPreElement>('pre:has(> code)')) {
    const language = /language-([\w+#.-]+)/.exec(pre.querySelector('code')?.className ?? '')?.[1]
    const place = document.createDocumentFragment()
    onCleanup(render(() => <CodeBlock source={pre.textContent ?? ''} language={language} open={false} />, place))
    pre.replaceWith(place)
  }
  for (const code of fragment.querySelectorAll('code')) code.translate = false
  for (const code of fragment.querySelectorAll<HTMLElement>('code:is(.math-inline, .math-display)')) showMaths(code)
  for (const table of fragment.querySelectorAll('table')) {
    const wrap = document.createElement('div')
    wrap.className = 'table-wrap'
    wrap.tabIndex = 0
    table.replaceWith(wrap)
    table.className = 'tbl'
    wrap.append(table)
  }
  return [...fragment.childNodes]
}

/** One line that opens to what the model thought. */
export function ReasoningFold(props: { readonly text: string; readonly open: boolean }): JSX.Element {
  const began = Date.now()
  const [took, setTook] = createSignal<number>()
  const wasOpen = props.open
  createEffect(() => {
    if (wasOpen && !props.open && took() === undefined) setTook(Date.now() - began)
  })
  return (
    <details class="fold">
      <summary>
        {props.open
          ? t('thinking')
          : took() === undefined
            ? t('thoughts')
            : t('thought_for', { seconds: Math.max(1, Math.round((took() ?? 0) / 1000)) })}
      </summary>
      <div class="chat-thoughts foreign">{props.text}</div>
    </details>
  )
}
