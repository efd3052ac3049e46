import type { Brand } from '../../../providers/draft.js'

/** The brands that most people look for, as far as installed plugins can call them. */
const common = ['openai', 'anthropic', 'google', 'mistral', 'openrouter', 'ollama']

/** The common ones, filled up in the order of the catalogue where one cannot be called. */
export function commonBrands(brands: readonly Brand[]): readonly Brand[] {
  const wanted = common.flatMap((id) => brands.filter((brand) => brand.id === id))
  const others = brands.filter((brand) => brand.kind === 'built_in' && !wanted.includes(brand))
  return [...wanted, ...others].slice(0, common.length)
}

/** Brands whose name or id has all words; those that begin with the search come first. */
export function matchingBrands(brands: readonly Brand[], query: string): readonly Brand[] {
  const text = query.trim().toLowerCase()
  const words = text.split(/\s+/)
  const begins = ({ name }: Brand): number => (name.toLowerCase().startsWith(text) ? 0 : 1)
  return brands
    .filter(({ id, name }) => words.every((word) => `${name} ${id}`.toLowerCase().includes(word)))
    .sort((one, other) => begins(one) - begins(other) || one.name.localeCompare(other.name))
}
