import type { Inference, ModelGroup } from '@agent-service/sdk/services/inference'

/** The model groups that make titles, the preferred one first. */
const titleGroups = ['title', 'small']
/** What stands in for a group that is gone, as for answers. */
const substitute = 'primary'

/** The group that makes titles, and whether it is the one of the answers, which may be dear. */
export interface TitleGroup {
  readonly group: ModelGroup
  readonly isOfAnswers: boolean
}

/**
 * The group that makes titles: one that is there for it, else the one that gave the answer.
 * Undefined: there is no model, so titles are made of the first words.
 */
export function titleGroup(inference: Pick<Inference, 'groups'>, answering: string | undefined): TitleGroup | undefined {
  const known = inference.groups()
  const named = (name: string | undefined): ModelGroup | undefined => known.find((group) => group.name === name)
  const [own] = titleGroups.map(named).filter((group) => group !== undefined)
  if (own) return { group: own, isOfAnswers: false }
  const group = named(answering) ?? named(substitute)
  return group && { group, isOfAnswers: true }
}
