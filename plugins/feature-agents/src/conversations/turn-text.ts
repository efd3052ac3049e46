import type { ConversationEvent } from '@agent-service/sdk/services/agents'
import type { RunEvent } from '@agent-service/sdk/services/runs'

type Texts = { readonly text: string; readonly reasoning: string }
type TextEvent = Extract<ConversationEvent, { readonly type: 'text.delta' | 'reasoning.delta' | 'void' }>

/** The text of a turn: that of its run, from the beginning of the turn on. */
export interface TurnText {
  /** The changes by an event of the run. */
  take(event: RunEvent): readonly TextEvent[]
  /** Appends a text of the service after an empty line. */
  add(text: string): readonly TextEvent[]
  /** The whole text. */
  texts(): Texts
}

/** `before`: the text of the run when the turn began. */
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

  /** The events that bring listeners up to date. */
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

/** The offset after the empty line that separates the earlier text from the turn's. */
const beginOf = (text: string): number => (text === '' ? 0 : text.length + 2)
