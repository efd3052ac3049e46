import type { Contribution, RecordedContribution } from '@agent-service/sdk'
import { contributionFunctions, type FunctionKind, recordedData } from '@agent-service/sdk/host'

type Member = (...given: unknown[]) => unknown

/** The code behind a recorded contribution. */
export interface DeferredCode {
  /** What the plugin contributed; undefined before it has started. */
  current(): Contribution | undefined
  /** Starts the plugin. @throws the reason for a person why it does not run. */
  start(): Promise<Contribution>
}

/**
 * A contribution as it was recorded. The first call of one of its functions starts its plugin; later ones go
 * straight to its code. `folder`: that of its `plugin.json`.
 */
export function deferredContribution(record: RecordedContribution, folder: string, code: DeferredCode): Contribution {
  const { point, functions } = record
  const kinds = contributionFunctions.get(point) ?? {}
  const members = functions.map((name) => [name, deferredFunction(name, kinds[name] ?? 'call', code)] as const)
  return { ...(recordedData(record, folder) as unknown as Contribution), ...Object.fromEntries(members) }
}

function deferredFunction(name: string, kind: FunctionKind, code: DeferredCode): Member {
  const call = (contribution: Contribution, given: unknown[]): unknown =>
    Reflect.apply(Reflect.get(contribution, name) as Member, contribution, given)
  return (...given) => {
    const current = code.current()
    if (current !== undefined) return call(current, given)
    const later = async (): Promise<unknown> => call(await code.start(), given)
    return kind === 'stream' ? streamOf(later) : later()
  }
}

/** A stream that is asked for when its first item is. */
function streamOf(open: () => Promise<unknown>): AsyncIterable<unknown> {
  return {
    async *[Symbol.asyncIterator]() {
      yield* (await open()) as AsyncIterable<unknown>
    },
  }
}
