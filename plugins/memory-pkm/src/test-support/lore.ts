import type { Lore } from './scripted-model.js'

/** What the model of tests knows how to note. */
export const lore: readonly Lore[] = [
  { quote: 'I live in Graz', text: 'Lives in Graz.', property: 'lives_in', value: 'Graz' },
  { quote: 'I have moved to Linz', text: 'Has moved to Linz.', property: 'lives_in', value: 'Linz' },
  { quote: 'I prefer trains', text: 'Prefers trains to planes.', kind: 'preference', property: 'prefers', value: 'trains to planes' },
  { quote: 'Anna is my sister', text: 'Anna is their sister.', subject: 'Anna', property: 'related_to', value: 'sister' },
  { quote: 'Anna works as a baker', text: 'Anna works as a baker.', subject: 'Anna', property: 'works_as', value: 'baker' },
  { quote: 'I am tired today', text: 'Was tired today.', kind: 'event' },
  { quote: 'I collect stamps', text: 'Collects stamps.', property: 'collects', value: 'stamps', proposes: true },
]
