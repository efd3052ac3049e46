import { setImmediate as nextTurn } from 'node:timers/promises'

/** Turns of the event loop after which what is ready has happened. */
const usualTurns = 20

/** Waits for turns of the event loop, not for time. */
export async function pass(turns = usualTurns): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn()
}
