import type { OfferedModel } from '@agent-service/sdk/contracts/provider-adapter'

/** The most models that are asked about, how many at a time, and how long in all, in milliseconds. */
const maxAsked = 48
const atATime = 6
const timeLimitMs = 6_000

/**
 * The models with what they can do, as far as `show` says it. A list is worth more than what is missing in it: a model about which the server
 * does not answer, or not in time, stays as it is. @throws the signal's reason.
 */
export async function withAbilities(
  models: readonly OfferedModel[],
  show: (model: OfferedModel, signal: AbortSignal) => Promise<OfferedModel | undefined>,
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)])
  const shown = new Map<string, OfferedModel>()
  const unknown = models.filter(({ tools }) => tools === undefined).slice(0, maxAsked)
  const askOn = async (): Promise<void> => {
    for (let model = unknown.shift(); model && !limited.aborted; model = unknown.shift()) {
      try {
        const found = await show(model, limited)
        if (found) shown.set(model.id, { ...model, ...found })
      } catch {
        // A server that does not know the question does not know it for the next model either.
        signal.throwIfAborted()
        return
      }
    }
  }
  await Promise.all(Array.from({ length: atATime }, askOn))
  return models.map((model) => shown.get(model.id) ?? model)
}
