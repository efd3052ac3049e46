import type { Schemas } from '../../api/index.js'

type OfferedModel = Schemas['OfferedModel']

/** How vendors name the small, fast ones of their models. */
const small = /(^|[^a-z])(nano|mini|lite|small|haiku|flash|fast|instant|tiny|[1-9]b)([^a-z]|$)/i

const wordsOf = (id: string): readonly string[] =>
  id
    .toLowerCase()
    .split(/[^a-z0-9.]+|(?<=[a-z])-?(?=\d)/)
    .filter(Boolean)
const costOf = ({ price }: OfferedModel): number | undefined => (price ? price.input + price.output : undefined)

/**
 * A small, fast model of the same kind as another: the one whose id has most in common with it, the
 * cheapest of several. Undefined: none is known to be small.
 */
export function smallModelFor(main: string, models: readonly OfferedModel[]): string | undefined {
  const own = models.find(({ id }) => id === main)
  const limit = own && costOf(own)
  const words = wordsOf(main)
  const inCommon = ({ id }: OfferedModel): number => wordsOf(id).filter((word) => words.includes(word)).length
  const isCheaper = (model: OfferedModel): boolean => limit === undefined || (costOf(model) ?? 0) < limit
  const found = models.filter(
    (model) => model.id !== main && small.test(model.id) && model.tools !== false && inCommon(model) > 0 && isCheaper(model),
  )
  const [best] = found.sort(
    (one, other) =>
      inCommon(other) - inCommon(one) ||
      (costOf(one) ?? Number.POSITIVE_INFINITY) - (costOf(other) ?? Number.POSITIVE_INFINITY) ||
      one.id.length - other.id.length,
  )
  return best?.id
}

/** A name for the group of a further model that no group has. */
export function groupNameFor(model: string, taken: readonly string[]): string {
  const base =
    (model.split('/').at(-1) ?? model)
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'model'
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`
    if (!taken.includes(name)) return name
  }
}
