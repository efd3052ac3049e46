import './sentence-mark.css'

/** Marks in the page what is read aloud. */
export interface SentenceMark {
  /** Marks where the words of the sentence come next; nothing if the page has other words. */
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
      const match = findSentence(root, sentence, from)
      if (!match) return
      from = match.end
      CSS.highlights.set(name, new Highlight(match.range))
    },
  }
}

/** Where the words stand in the texts of an element, whatever space is between them. */
function findSentence(root: HTMLElement, sentence: string, from: number): { readonly range: Range; readonly end: number } | undefined {
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
