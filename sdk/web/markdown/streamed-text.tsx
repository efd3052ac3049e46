import type { MarkupElement, MarkupNode } from '@agent-service/sdk/markdown'
import { type Accessor, createEffect, createMemo, createRoot, createSignal, getOwner, type JSX, onCleanup, Show } from 'solid-js'
import { Maths } from '../maths/maths.js'
import { Button } from '../ui/button.js'
import { CodeBlock } from './code-block.js'
import { maxFormatted } from './limits.js'
import { loadMarkdown, markdown } from './load-markdown.js'
import type { Part, PartOf } from './shown-nodes.js'
import { t } from './texts.js'

/**
 * A text that may still grow, formatted as far as it has come. Each finished block is parsed once, the open one again for each frame;
 * what does not change stays in the page. The rest of a very long text is shown as it was written, until more of it is wanted.
 */
export function StreamedText(props: { readonly text: string; readonly open: boolean }): JSX.Element {
  void loadMarkdown()
  const [wanted, setWanted] = createSignal(maxFormatted)
  const end = (): number => endOfFormatted(props.text, wanted())
  const formatted = createMemo(() => props.text.slice(0, end()))
  const rest = (): string => props.text.slice(end())
  const view = createMemo(() => {
    const made = markdown()?.messageView(partOf(getOwner()))
    onCleanup(() => made?.dispose())
    return made
  })
  const nodes = createMemo<readonly ChildNode[]>(() => view()?.show(formatted(), props.open && rest() === '') ?? [], [], {
    equals: (before, after) => before.length === after.length && before.every((node, index) => node === after[index]),
  })
  return (
    <>
      <div class="prose foreign">
        <Show when={view()} fallback={<Tail text={props.text} open={props.open} />}>
          {nodes() as readonly Node[] as Node[]}
          <Show when={rest()}>
            <Tail text={rest()} open={props.open} />
          </Show>
        </Show>
      </div>
      <Show when={!props.open && rest()}>
        <p class="meta">
          {t('unformatted')}{' '}
          <Button size="small" kind="quiet" onClick={() => setWanted(end() + maxFormatted)}>
            {t('format_more')}
          </Button>
        </p>
      </Show>
    </>
  )
}

/** Rather after a line than within it. */
function endOfFormatted(text: string, wanted: number): number {
  if (text.length <= wanted) return text.length
  const line = text.indexOf('\n', wanted) + 1
  return line > 0 && line < wanted * 1.1 ? line : wanted
}

/** What of a message is shown by components. */
const partOf =
  (owner: ReturnType<typeof getOwner>): PartOf =>
  ({ name, attributes, children: [code] }) => {
    if (name === 'code' && attributes['class']?.startsWith('math-'))
      return partBy('maths', owner, (node, open) => (
        <Maths source={textOf(node())} isDisplay={node().attributes['class'] === 'math-display'} open={open()} />
      ))
    if (name === 'a' && attributes['href']?.startsWith('#'))
      return partBy('note', owner, (node) => <NoteLink attributes={node().attributes} text={textOf(node())} />)
    if (name !== 'pre' || typeof code !== 'object' || code.name !== 'code') return undefined
    return partBy('code', owner, (node, open) => {
      const source = (): string => textOf(node())
      return (
        <CodeBlock
          source={open() ? source().replace(/\n$/, '') : source()}
          language={/language-(.+)/.exec(innerAttribute(node(), 'class') ?? '')?.[1]}
          info={innerAttribute(node(), 'data-info')}
          open={open()}
        />
      )
    })
  }

const textOf = (node: MarkupNode): string => (typeof node === 'string' ? node : node.children.map(textOf).join(''))
const innerAttribute = ({ children: [code] }: MarkupElement, wanted: string): string | undefined =>
  typeof code === 'object' ? code.attributes[wanted] : undefined

/** Leads to a note of the text, or back to where the text refers to it. */
function NoteLink(props: { readonly attributes: Readonly<Record<string, string>>; readonly text: string }): JSX.Element {
  const isBack = (): boolean => /-ref-\d+$/.test(props.attributes['href'] ?? '')
  const number = (): string => /\d+$/.exec(props.attributes['href'] ?? '')?.[0] ?? ''
  const go = (event: Event): void => {
    event.preventDefault()
    const target = document.getElementById((props.attributes['href'] ?? '').slice(1))
    if (!target) return
    if (target.localName !== 'a') target.tabIndex = -1
    target.scrollIntoView({ block: 'nearest' })
    target.focus({ preventScroll: true })
  }
  return (
    <a
      id={props.attributes['id']}
      href={props.attributes['href']}
      aria-label={t(isBack() ? 'footnote_back' : 'footnote', { number: number() })}
      on:click={go}
    >
      {props.text}
    </a>
  )
}

/** A component that follows an element of the markup. */
const partBy = (
  kind: string,
  owner: ReturnType<typeof getOwner>,
  show: (node: Accessor<MarkupElement>, open: Accessor<boolean>) => JSX.Element,
): Part => ({
  kind,
  create: (first) =>
    createRoot((dispose) => {
      const [node, setNode] = createSignal(first)
      const [open, setOpen] = createSignal(false)
      return { outer: show(node, open) as Element, take: setNode, setOpen, dispose }
    }, owner),
})

/** A text as it was written, to which new letters are appended, not to be translated before it is finished. */
function Tail(props: { readonly text: string; readonly open: boolean }): JSX.Element {
  const node = document.createTextNode('')
  let written = ''
  createEffect(() => {
    const { text } = props
    // What stands there may have been replaced, by a translation or an extension.
    if (node.data === written && text.startsWith(written)) node.appendData(text.slice(written.length))
    else node.data = text
    written = text
  })
  return (
    <p class="prose-tail" translate={props.open ? 'no' : undefined}>
      {node}
      <Show when={props.open}>
        <span class="caret" />
      </Show>
    </p>
  )
}
