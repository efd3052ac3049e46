import { createSignal } from 'solid-js'
import { loadPart } from '../../../core/load-part.js'
import type { MarkdownKind } from './markdown.js'

type Parse = (source: string, kind: MarkdownKind) => DocumentFragment

const [parser, setParser] = createSignal<Parse>()
let loading: Promise<void> | undefined

/** The parser of finished blocks, once it is there; the chat is shown before. */
export const markdownNodes = parser

/** Loads the parser, once. After a failure the next block tries again, and the return of the network. */
export function loadMarkdown(): Promise<void> {
  loading ??= loadPart(() => import('./markdown.js')).then(
    (module) => void setParser(() => module.markdownNodes),
    () => {
      loading = undefined
      addEventListener('online', () => void loadMarkdown(), { once: true })
    },
  )
  return loading
}
