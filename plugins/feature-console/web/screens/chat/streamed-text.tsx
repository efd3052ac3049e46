import { createEffect, createMemo, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { render } from 'solid-js/web'
import { Button } from '../../ui/button.js'
import { CopyButton } from '../../ui/copy-button.js'
import { loadMarkdown, markdownNodes } from './load-markdown.js'
import { type Blocks, maxFormatted, noBlocks, splitBlocks } from './markdown-blocks.js'
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

/** Its code gets a head with the language and Copy. */
function ParsedBlock({ fragment }: { readonly fragment: DocumentFragment }): JSX.Element {
  for (const pre of fragment.querySelectorAll<HTMLPreElement>('pre:has(> code)')) {
    const code = pre.textContent ?? ''
    const language = /language-([\w+#.-]+)/.exec(pre.querySelector('code')?.className ?? '')?.[1]
    const figure = document.createElement('figure')
    figure.className = 'code'
    pre.replaceWith(figure)
    pre.tabIndex = 0
    const head = document.createElement('header')
    figure.append(head, pre)
    onCleanup(render(() => <CodeHead language={language} code={code} />, head))
  }
  for (const code of fragment.querySelectorAll('code')) code.translate = false
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

function CodeHead(props: { readonly language: string | undefined; readonly code: string }): JSX.Element {
  return (
    <>
      <span>{props.language ?? t('code')}</span>
      <CopyButton text={() => props.code} label={t('copy_code')} />
    </>
  )
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
