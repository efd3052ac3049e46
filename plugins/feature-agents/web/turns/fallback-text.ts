import { groupTitle, modelTitle } from '@agent-service/sdk/web'
import type { Schemas } from '../api/index.js'
import { knownModels } from '../choices/choices.js'
import { causeWords } from '../failures/failure-words.js'
import { t } from './texts.js'

/** Which model answered in place of which, and why; what the provider said of it is in the title. */
export function fallbackText({ reason, wanted, used, failure = '' }: Schemas['AnswerFallback']): string {
  if (reason !== 'model_failed') return t('fallback_group', { wanted: groupTitle(wanted), used: modelTitle(knownModels(), used) })
  return t('fallback_model', { wanted: modelName(wanted), used: modelName(used), cause: causeWords(failure) })
}

/** The name of a model by `connection/model`. */
function modelName(place: string): string {
  const id = place.slice(place.indexOf('/') + 1)
  return knownModels().find(({ model }) => model === id)?.title ?? id
}
