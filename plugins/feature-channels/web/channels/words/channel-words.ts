import { language } from '@agent-service/sdk/web'
import { type FormSchema, labelOf } from '@agent-service/sdk/web/forms'
import type { Schemas } from '../../api/index.js'
import { german } from './german.js'

type Kind = Pick<Schemas['Channel'], 'id' | 'connection' | 'set_up'>
type Step = Schemas['ChannelSetUpStep']

const wordsOf = (kindId: string) => (language() === 'de' && Object.hasOwn(german, kindId) ? german[kindId] : undefined)

/**
 * The form of a channel in the language of the page, as far as its words are known. Tokens and
 * addresses are one line, however long they may be.
 */
export function formOf(kind: Kind): FormSchema {
  const schema = kind.connection as FormSchema
  const words = wordsOf(kind.id)?.members
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    { format: 'line', ...property, ...(words && Object.hasOwn(words, name) && words[name]) },
  ])
  return { ...schema, properties: Object.fromEntries(properties) as Readonly<Record<string, FormSchema>> }
}

/** The titles of members as the form has them. */
export function fieldTitles(kind: Kind, members: readonly string[]): readonly string[] {
  const properties = formOf(kind).properties ?? {}
  return members.flatMap((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    return property ? [labelOf(name, property)] : []
  })
}

/** The name of a channel: those of vendors are the same everywhere. */
export const titleOf = ({ id, title }: Pick<Schemas['Channel'], 'id' | 'title'>): string =>
  language() === 'de' && id === 'email' ? 'E-Mail' : title

/** What is done at the vendor. A step whose English words are others by now stays as it is; blocks of code stay in any case. */
export const stepsOf = (kind: Kind): readonly Step[] =>
  kind.set_up.map((step) => {
    const words = wordsOf(kind.id)?.steps.find(({ of }) => of === step.title)
    const [code = ''] = /```[\s\S]*```/.exec(step.text) ?? []
    return words ? { ...step, title: words.title, text: words.text.replace('{code}', () => code) } : step
  })

/** Whether the words of a channel are English in any language. */
export const isForeign = (kindId: string): boolean => !Object.hasOwn(german, kindId)
