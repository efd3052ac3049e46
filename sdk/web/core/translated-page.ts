/** A text of ours whose words stand in elements of a translation, usually one. */
interface Translated {
  readonly shown: readonly Element[]
  readonly text: string
}

/**
 * Lets the page go on under a translation. Browsers replace each text by `<font>` elements, and what
 * writes into the text from then on writes into nothing (facebook/react#11538). Here the text stays in its place, empty,
 * before the words that are shown for it: a change, a move or an end of it is seen, and those words go with it.
 */
export function goOnTranslated(root: Node = document.body): void {
  const translated = new WeakMap<Text, Translated>()
  const textOf = new WeakMap<Element, Text>()
  let isTranslated = false
  let watchesWords = false

  const removeShown = (text: Text): void => {
    for (const each of translated.get(text)?.shown ?? []) each.remove()
    translated.delete(text)
  }
  const keep = (text: Text, shown: readonly Element[]): void => {
    isTranslated = true
    translated.set(text, { shown, text: text.data })
    for (const each of shown) textOf.set(each, text)
    text.data = ''
    shown[0]?.before(text)
  }
  /** The words of the page are ours again; `other`: what the translation put back itself. */
  const putBack = (text: Text, other: Text | undefined): void => {
    const words = other && other !== text ? other.data : (translated.get(text)?.text ?? '')
    translated.delete(text)
    if (other && other !== text) other.replaceWith(text)
    text.data = words
  }
  const onChildren = ({ addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord): void => {
    const added = [...addedNodes]
    for (const node of removedNodes) {
      if (node instanceof Text) onTextRemoved(node, added, [previousSibling, nextSibling])
      else if (isTranslation(node)) onWordsRemoved(node, added)
    }
    for (const node of added) if (node instanceof Text) onTextAdded(node)
  }
  const onTextRemoved = (text: Text, added: readonly Node[], around: readonly (Node | null)[]): void => {
    const isNew = (node: Node | null): node is Element => isTranslation(node) && node.isConnected && !textOf.has(node)
    const words = added.some(isNew) ? added.filter(isNew) : around.filter(isNew).slice(0, 1)
    if (words.length > 0 && !text.isConnected && text.data.trim() !== '') keep(text, words)
    else if (!text.isConnected) removeShown(text)
  }
  const onWordsRemoved = (words: Element, added: readonly Node[]): void => {
    const text = textOf.get(words)
    if (!text) return
    const shown = translated.get(text)?.shown ?? []
    if (!shown.includes(words) || shown.some(({ isConnected }) => isConnected)) return
    putBack(
      text,
      added.find((node) => node instanceof Text),
    )
  }
  /** Moved by the console: the words follow. */
  const onTextAdded = (text: Text): void => {
    const shown = translated.get(text)?.shown
    if (shown && text.isConnected && text.nextSibling !== shown[0]) text.after(...shown)
  }
  /** Changed by the console: the new words are shown, until they are translated in their turn. */
  const onWords = (text: Node): void => {
    if (text instanceof Text && text.data !== '') removeShown(text)
  }
  const observer = new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'characterData') onWords(record.target)
      else onChildren(record)
    }
    observeMore()
  })
  /** Streamed words are many: they are watched only where a page is translated. */
  const observeMore = (): void => {
    if (watchesWords || !isTranslated) return
    watchesWords = true
    observer.observe(root, { childList: true, characterData: true, subtree: true })
  }
  observer.observe(root, { childList: true, subtree: true })
}

/** The console itself has no such elements. */
const isTranslation = (node: Node | null | undefined): node is Element => node instanceof Element && node.localName === 'font'
