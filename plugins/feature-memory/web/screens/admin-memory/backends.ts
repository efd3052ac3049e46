import { type Configuration, membersOf } from '@agent-service/sdk/web/configuration'
import type { Schemas } from '../../api/index.js'
import { t } from './texts.js'

/** A memory back end that can be chosen. */
export interface Backend {
  /** The value of `memory.backend`. */
  readonly value: string
  readonly title: string
  /** What it does, in a sentence. */
  readonly text: string
  /** The sentence is the plugin's own, in English. */
  readonly isForeign: boolean
}

/** The values of `memory.backend` for which a plugin is installed. */
export function backendsOf(configuration: Configuration, plugins: readonly Schemas['Plugin'][]): readonly Backend[] {
  const section = membersOf(membersOf(configuration.schema['properties'])['memory'])
  const setting = membersOf(membersOf(section['properties'])['backend'])
  const nodes = [setting, ...(Array.isArray(setting['anyOf']) ? setting['anyOf'].map(membersOf) : [])]
  const values = nodes.flatMap(({ enum: choices }) => (Array.isArray(choices) ? choices : [])).filter((value) => typeof value === 'string')
  return plugins
    .filter(({ contributes, state }) => contributes.includes('memory.backend') && state !== 'declared' && state !== 'invalid')
    .flatMap(({ id, description, contributions }) => {
      // One that runs says itself what it is; the others are found as the service finds them.
      const keys = contributions.find(({ point }) => point === 'memory.backend')?.keys ?? []
      const value =
        values.find((each) => keys.includes(each)) ?? values.find((each) => id === `memory-${each}`) ?? values.find((each) => id === each)
      return value === undefined ? [] : [backendOf(value, description ?? '')]
    })
}

function backendOf(value: string, description: string): Backend {
  if (value === 'basic') return { value, title: t('basic'), text: t('basic_text'), isForeign: false }
  if (value === 'pkm') return { value, title: t('pkm'), text: t('pkm_text'), isForeign: false }
  return { value, title: value, text: description, isForeign: true }
}
