import type { Schemas } from '../api/types.js'
import { t } from './texts.js'

type ModelGroup = Schemas['ModelGroup']

/** A model as people choose it. */
export interface NamedModel {
  readonly group: ModelGroup
  readonly title: string
  /** What tells it apart from others of the same title. */
  readonly beside: string | undefined
}

/** The groups that answer, by the names of their models; those of one model have what tells them apart. */
export function namedModels(groups: readonly ModelGroup[]): readonly NamedModel[] {
  const answering = groups.filter(({ embeds }) => embeds !== true)
  const times = new Map<string, number>()
  for (const { title } of answering) times.set(title, (times.get(title) ?? 0) + 1)
  return answering.map((group) => ({
    group,
    title: group.title,
    beside: (times.get(group.title) ?? 0) > 1 ? wordOf(group.name) : undefined,
  }))
}

/** The choices of a field, by name of the group; one that is chosen and missing stays. */
export function modelChoices(groups: readonly ModelGroup[], chosen: string): readonly { readonly value: string; readonly label: string }[] {
  const choices = namedModels(groups).map(({ group, title, beside }) => ({
    value: group.name,
    label: beside === undefined ? title : `${title} (${beside})`,
  }))
  return chosen === '' || choices.some(({ value }) => value === chosen) ? choices : [{ value: chosen, label: chosen }, ...choices]
}

/** The model that a group of that name stands for; one that is missing is replaced as the service does. */
export const modelNamed = (groups: readonly ModelGroup[], name: string): ModelGroup | undefined =>
  groups.find((group) => group.name === name) ?? groups.find((group) => group.name === 'primary')

/** The word for a group: the two that the service itself knows have one. */
function wordOf(name: string): string {
  if (name === 'primary') return t('model_standard')
  if (name === 'small') return t('model_small')
  return name
}
