import type { markdownMarkup } from '@agent-service/sdk/markdown'
import { createSignal } from 'solid-js'
import { loadPart } from '../core/load-part.js'

type Markdown = typeof import('./markdown.js')

const [loaded, setLoaded] = createSignal<Markdown>()
let loading: Promise<void> | undefined

/** What reads Markdown, once it is there; the chat is shown before. */
export const markdown = loaded

/** The parser of whole texts, once it is there. */
export const markdownNodes = (): Markdown['markdownNodes'] | undefined => loaded()?.markdownNodes

/**
 * The parser itself, for what says or measures a text in place of showing it; `undefined` until {@link loadMarkdown} has loaded it. So
 * it is in the page once, and not in the files of a screen too.
 */
export const markupParser = (): typeof markdownMarkup | undefined => loaded()?.markdownMarkup

/** Loads the parser, once. After a failure the next text tries again, and the return of the network. */
export function loadMarkdown(): Promise<void> {
  loading ??= loadPart(() => import('./markdown.js')).then(
    (module) => void setLoaded(() => module),
    () => {
      loading = undefined
      addEventListener('online', () => void loadMarkdown(), { once: true })
    },
  )
  return loading
}
