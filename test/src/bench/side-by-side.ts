import { type Figure, median } from './figures.js'

/** Things of one kind, taken in turns. */
export interface Side {
  readonly name: string
  readonly things: readonly string[]
}

/** What one piece of work took on one side, in milliseconds: time, and the processor's. */
export interface SideCost {
  readonly name: string
  readonly time: number
  readonly cpu: number
}

/**
 * Does the same work on every side, `each` times on one after the other, round after round, so that
 * whatever else the machine does hits all of them. Medians, in the order of the sides. `cpuMs`:
 * what the processor has spent so far. `warm`: rounds before those that count.
 */
export async function measureSideBySide(options: {
  readonly sides: readonly Side[]
  readonly work: (thing: string) => Promise<void>
  readonly cpuMs: () => Promise<number>
  readonly each: number
  readonly rounds: number
  readonly warm: number
}): Promise<readonly SideCost[]> {
  const { work, cpuMs, each, rounds, warm } = options
  const sides = options.sides.map((side) => ({ ...side, times: [] as number[], cpus: [] as number[] }))
  for (let round = -warm; round < rounds; round += 1) {
    for (const { things, times, cpus } of sides) {
      const spent: number[] = []
      const before = await cpuMs()
      for (let count = 0; count < each; count += 1) {
        const thing = things[((round + warm) * each + count) % things.length] ?? ''
        const began = performance.now()
        await work(thing)
        spent.push(performance.now() - began)
      }
      const cpu = ((await cpuMs()) - before) / each
      if (round < 0) continue
      times.push(...spent)
      cpus.push(cpu)
    }
  }
  return sides.map(({ name, times, cpus }) => ({ name, time: median(times), cpu: median(cpus) }))
}

/**
 * Two figures of one side beside another. `aim`: the largest ratio that is looked for; without it
 * there is none.
 */
export function figuresBeside(what: string, ours: SideCost | undefined, theirs: SideCost | undefined, aim?: number): readonly Figure[] {
  if (!ours || !theirs) throw new Error('Two sides are needed.')
  const figure = (kind: 'time' | 'cpu', name: string): Figure => ({
    what: `${what}: ${name}`,
    ours: ours[kind],
    unit: 'ms',
    baseline: { name: theirs.name, value: theirs[kind] },
    ...(aim === undefined ? {} : { aim: { text: `at most ${aim} times`, met: ours[kind] / theirs[kind] <= aim } }),
  })
  return [figure('time', 'time'), figure('cpu', 'processor time')]
}
