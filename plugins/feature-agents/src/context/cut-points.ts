import type { Message } from '../store/chats/message.js'

/**
 * A point at which a conversation can be cut so that the rest is a conversation of its own. `turn`:
 * a person's message follows, so both sides have whole turns. `step`: the agent continues, in the
 * middle of a turn.
 */
export interface CutPoint {
  /** The index of the message that follows. */
  readonly index: number
  readonly kind: 'turn' | 'step'
}

/**
 * All points at which stored messages, from old to new, can be cut: never between a call and its
 * result, never before an answer that is still open.
 */
export function cutPoints(messages: readonly Message[]): readonly CutPoint[] {
  const places: CutPoint[] = []
  /** The run whose calls have no results yet. */
  let calling: string | undefined
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      calling = undefined
      continue
    }
    // A message to a run whose calls are in progress is shown after their results.
    const held = message.role === 'user' && calling === message.run_id
    if (held) continue
    if (message.status !== 'open') places.push({ index, kind: message.role === 'user' ? 'turn' : 'step' })
    const calls = message.role === 'assistant' && message.status === 'complete' && message.content.some(({ type }) => type === 'tool_call')
    calling = calls ? message.run_id : undefined
  }
  return places
}

/**
 * Chooses where a conversation is cut. The newest turns with at most `target` tokens stay, at least
 * the last one. If that one alone has more than `longest`, the cut is inside it, before the newest
 * steps with at most `target`, at least the last one. `tokens` has the size of each message.
 * Undefined: nothing can be removed.
 */
export function chooseCut(
  messages: readonly Message[],
  tokens: readonly number[],
  { target, longest }: { readonly target: number; readonly longest: number },
): CutPoint | undefined {
  const behind = tokensBehind(tokens)
  const fits = ({ index }: CutPoint): boolean => (behind[index] ?? 0) <= target
  const places = cutPoints(messages)
  const lastTurn = places.findLast(({ kind }) => kind === 'turn')
  const hasOlder = lastTurn !== undefined && lastTurn.index > 0
  if (hasOlder && (behind[lastTurn.index] ?? 0) <= longest) {
    return places.find((place) => place.kind === 'turn' && place.index > 0 && fits(place)) ?? lastTurn
  }
  // Removing only a person's message would gain nothing.
  const steps = places.filter(({ index }) => index >= (lastTurn ? lastTurn.index + 2 : 1))
  return steps.find(fits) ?? steps.at(-1) ?? (hasOlder ? lastTurn : undefined)
}

/** For each message, the tokens from it to the end. */
function tokensBehind(tokens: readonly number[]): readonly number[] {
  let sum = 0
  return tokens
    .toReversed()
    .map((size) => (sum += size))
    .reverse()
}
