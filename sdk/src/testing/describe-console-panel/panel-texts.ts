import type { PanelText } from '../../contracts/console-panel/panel-text.js'

/** Texts by language that are somewhere in a value, each with a JSON pointer. */
export function textsIn(value: unknown, pointer = ''): readonly { readonly pointer: string; readonly text: PanelText }[] {
  if (typeof value !== 'object' || value === null) return []
  if (isText(value)) return [{ pointer, text: value }]
  return Object.entries(value)
    .filter(([name]) => name !== 'schema' && name !== 'body')
    .flatMap(([name, member]) => textsIn(member, `${pointer}/${name}`))
}

const isText = (value: object): value is PanelText => 'en' in value && typeof value.en === 'string'
