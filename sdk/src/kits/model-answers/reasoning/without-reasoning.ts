import { createReasoningSplitter } from './split-reasoning.js'

/**
 * A whole text of a model without the reasoning that it wrote between tags at its beginning and in
 * lines of their own. `expected`: a closing tag without an opening one ends reasoning too; give it
 * only where no answer could hold such a tag itself.
 */
export function withoutReasoning(text: string, { expected = false }: { readonly expected?: boolean } = {}): string {
  if (!(expected ? /[<[◁]/ : /^\s*[<[◁]/).test(text)) return text
  const splitter = createReasoningSplitter({ expected })
  return [...splitter.add(text), ...splitter.end(false)].map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')
}
