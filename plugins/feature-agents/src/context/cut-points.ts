import type { Message } from '../store/chats/message.js'

/**
 * Where a conversation can be cut so that what follows is a conversation of its own. `turn`: a person's message follows, so whole turns stand on both
 * sides; `step`: the agent goes on, in the middle of a turn.
 */
export interface CutPoint {
  /** The index of the message that follows. */
  readonly index: number
  readonly kind: 'turn' | 'step'
}

/** All places at which stored messages, from old to new, can be cut. None is between a call and its result, none before an answer that is still open. */
export function cutPoints(messages: readonly Message[]): readonly CutPoint[] {
  const places: CutPoint[] = []
  /** The run whose calls have no results yet. */
  let calling: string | undefined
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      calling = undefined
      continue
    }
    // What a person writes to a run whose calls are under way is shown behind their results.
    const held = message.role === 'user' && calling === message.run_id
    if (held) continue
    if (message.status !== 'open') places.push({ index, kind: message.role === 'user' ? 'turn' : 'step' })
    const calls = message.role === 'assistant' && message.status === 'complete' && message.content.some(({ type }) => type === 'tool_call')
    calling = calls ? message.run_id : undefined
  }
  return places
}

/**
 * Chooses where a conversation is cut: the newest turns that have at most `target` tokens stay, at the least the last one. Where that one alone has more
 * than `longest`, the cut is inside of it, before the newest steps that have at most `target`, at the least the last one. `tokens` has the size of each
 * message. Undefined: there is nothing that could be taken away.
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
  // To take away a person's message alone would gain nothing.
  const steps = places.filter(({ index }) => index >= (lastTurn ? lastTurn.index + 2 : 1))
  return steps.find(fits) ?? steps.at(-1) ?? (hasOlder ? lastTurn : undefined)
}

/** For each message: the tokens from it to the end. */
function tokensBehind(tokens: readonly number[]): readonly number[] {
  let sum = 0
  return tokens
    .toReversed()
    .map((size) => (sum += size))
    .reverse()
}
