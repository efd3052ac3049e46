import type { Schemas } from '../api/types.js'
import { t } from './texts.js'

type ModelGroup = Schemas['ModelGroup']

/** A model as people choose it. */
export interface NamedModel {
  /** What the service calls: requests name it by `group.name`. */
  readonly group: ModelGroup
  /** The name of the model. */
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
  return chosen === '' || choices.some(({ value }) => value === chosen)
    ? choices
    : [{ value: chosen, label: groupTitle(chosen) }, ...choices]
}

/** The model that a group of that name stands for; one that is missing is replaced as the service does. */
export const modelNamed = (groups: readonly ModelGroup[], name: string): ModelGroup | undefined =>
  groups.find((group) => group.name === name) ?? groups.find((group) => group.name === 'primary')

/** The name of the model that a group of that name stands for, or what the group is for if it is not known. */
export const modelTitle = (groups: readonly ModelGroup[], name: string): string => modelNamed(groups, name)?.title ?? groupTitle(name)

const uses = {
  primary: 'use_primary',
  small: 'use_small',
  title: 'use_title',
  memory: 'use_memory',
  embedding: 'use_embedding',
} as const

/** Whether the service itself looks for a group of this name. */
export const isKnownGroup = (name: string): boolean => Object.hasOwn(uses, name)

/** What a group is called: those that the service itself looks for by what they are for. */
export const groupTitle = (name: string): string => (isKnownGroup(name) ? t(uses[name as keyof typeof uses]) : name)

/** The same beside the name of a model. */
function wordOf(name: string): string {
  if (name === 'primary') return t('model_standard')
  if (name === 'small') return t('model_small')
  return groupTitle(name)
}
