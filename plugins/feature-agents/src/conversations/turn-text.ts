import type { ConversationEvent } from '@agent-service/sdk/services/agents'
import type { RunEvent } from '@agent-service/sdk/services/runs'

type Texts = { readonly text: string; readonly reasoning: string }
type TextEvent = Extract<ConversationEvent, { readonly type: 'text.delta' | 'reasoning.delta' | 'void' }>

/** What a turn says: the text of its run from where the turn began on. */
export interface TurnText {
  /** What an event of the run changes. */
  take(event: RunEvent): readonly TextEvent[]
  /** Adds a text of ours at the end, set off by an empty line. */
  add(text: string): readonly TextEvent[]
  /** All of it. */
  texts(): Texts
}

/** `before`: what the run had said when the turn began. */
export function createTurnText(before: Texts): TurnText {
  const begin = { text: beginOf(before.text), reasoning: beginOf(before.reasoning) }
  const said = { ...before }
  const shown = { text: '', reasoning: '' }

  const showKind = (kind: 'text' | 'reasoning', wanted: string): TextEvent[] => {
    if (wanted === shown[kind]) return []
    const added = wanted.slice(shown[kind].length)
    shown[kind] = wanted
    return [{ type: `${kind}.delta`, text: added }]
  }

  /** What listeners have to be told so that they know what was said by now. */
  const show = (): readonly TextEvent[] => {
    const wanted = { text: said.text.slice(begin.text), reasoning: said.reasoning.slice(begin.reasoning) }
    if (wanted.text.startsWith(shown.text) && wanted.reasoning.startsWith(shown.reasoning))
      return [...showKind('reasoning', wanted.reasoning), ...showKind('text', wanted.text)]
    Object.assign(shown, wanted)
    return [{ type: 'void', ...wanted }]
  }

  return {
    take(event) {
      if (event.type === 'state' || event.type === 'void') {
        said.text = event.text
        said.reasoning = event.reasoning
      } else if (event.type === 'text.delta') said.text = said.text.slice(0, event.offset) + event.text
      else if (event.type === 'reasoning.delta') said.reasoning = said.reasoning.slice(0, event.offset) + event.text
      else return []
      return show()
    },
    add(text) {
      said.text += shown.text === '' ? text : `\n\n${text}`
      return show()
    },
    texts: () => ({ ...shown }),
  }
}

/** Behind the empty line that sets off what comes next. */
const beginOf = (text: string): number => (text === '' ? 0 : text.length + 2)
