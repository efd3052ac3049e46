import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AttackPlaces, TreeAttack } from './tree-attack.js'

/** What the attacking process is asked to do. */
export type AttackerRequest =
  | { readonly kind: 'begin'; readonly places: AttackPlaces; readonly uid: number | undefined }
  | { readonly kind: 'step'; readonly step: TreeAttack }
  | { readonly kind: 'race'; readonly seed: number }
  | { readonly kind: 'stop' }

/** A process of another user than the service, if it may be: it cannot change what lies outside. */
export interface Attacker {
  step(step: TreeAttack): Promise<void>
  race(seed: number): Promise<void>
  /** Ends it. Returns how many attacks it has made. */
  stop(): Promise<number>
}

export async function startAttacker(places: AttackPlaces, uid: number | undefined): Promise<Attacker> {
  const child = fork(new URL('./attacker-process.js', import.meta.url), { cwd: '/', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  await ask(child, { kind: 'begin', places, uid })
  return {
    step: async (step) => void (await ask(child, { kind: 'step', step })),
    race: async (seed) => void (await ask(child, { kind: 'race', seed })),
    async stop() {
      const ended = once(child, 'exit')
      try {
        return await ask(child, { kind: 'stop' })
      } finally {
        child.kill('SIGKILL')
        await ended
      }
    },
  }
}

async function ask(child: ChildProcess, request: AttackerRequest): Promise<number> {
  const answered = once(child, 'message', { signal: AbortSignal.timeout(30_000) }) as Promise<[number]>
  child.send(request)
  const [count] = await answered
  return count
}
