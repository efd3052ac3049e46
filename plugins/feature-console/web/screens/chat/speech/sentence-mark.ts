import './sentence-mark.css'

/** Marks in the page what is read aloud. */
export interface SentenceMark {
  /** Marks the next place at which the words of the sentence stand; none if they stand there otherwise. */
  show(sentence: string): void
  clear(): void
}

const name = 'read-aloud'

/** Marks within an element, without changing it; browsers without highlights show none. */
export function createSentenceMark(root: HTMLElement): SentenceMark {
  let from = 0
  const clear = (): void => {
    if ('highlights' in CSS) CSS.highlights.delete(name)
  }
  return {
    clear,
    show(sentence) {
      clear()
      if (!('highlights' in CSS)) return
      const found = placeOf(root, sentence, from)
      if (!found) return
      from = found.end
      CSS.highlights.set(name, new Highlight(found.range))
    },
  }
}

/** Where the words stand in the texts of an element, whatever space is between them. */
function placeOf(root: HTMLElement, sentence: string, from: number): { readonly range: Range; readonly end: number } | undefined {
  const nodes: { readonly node: Text; readonly start: number }[] = []
  let all = ''
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement?.closest('.prose')) continue
    nodes.push({ node: node as Text, start: all.length })
    all += (node as Text).data
  }
  const words = sentence.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const search = new RegExp(words.join('\\s+'), 'gu')
  search.lastIndex = from
  const match = search.exec(all)
  if (!match) return undefined
  const end = match.index + match[0].length
  const first = nodes.findLast(({ start }) => start <= match.index)
  const last = nodes.findLast(({ start }) => start < end)
  if (!first || !last) return undefined
  const range = document.createRange()
  range.setStart(first.node, match.index - first.start)
  range.setEnd(last.node, end - last.start)
  return { range, end }
}
