import type { SuiteTopic } from '../support/suite-store.js'
import { describeSearchModel } from './search-model.js'
import { describeSearchPages } from './search-pages.js'
import { describeSearchedChanges } from './searched-changes.js'
import { describeSearchedWords } from './searched-words.js'

/** Searches in a text index. */
export function describeSearches(topic: SuiteTopic): void {
  topic.runner.describe('searches', () => {
    describeSearchedWords(topic)
    describeSearchPages(topic)
    describeSearchedChanges(topic)
    describeSearchModel(topic)
  })
}
