import type { Inference } from '@agent-service/sdk/services/inference'

/** The model groups that make titles, the preferred one first. */
const titleGroups = ['title', 'small']

/**
 * The group that makes titles; undefined: none is configured, so titles are made of the first
 * words.
 */
export function titleGroup(inference: Pick<Inference, 'groups'>): string | undefined {
  const known = inference.groups().map(({ name }) => name)
  return titleGroups.find((name) => known.includes(name))
}
