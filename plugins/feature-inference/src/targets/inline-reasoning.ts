import type { InlineReasoning } from '@agent-service/sdk/model-answers'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { TargetSettings } from '../configuration/models-section.js'
import type { Connection } from '../connections/connections.js'

/**
 * Where reasoning is looked for in the texts of a model: by its setting, else by what the catalogue
 * knows of the brand's models and of models of any brand.
 */
export function inlineReasoningOf(
  { inline_reasoning: setting, model }: TargetSettings,
  connection: Pick<Connection, 'brand'> | undefined,
  catalogue: Pick<Catalogue, 'reasonsInText'>,
): InlineReasoning {
  if (setting === 'never') return 'never'
  const ofBrand = connection?.brand?.quirks['inline_thinking_models']
  const isKnown = (typeof ofBrand === 'string' && new RegExp(ofBrand, 'u').test(model)) || catalogue.reasonsInText(model)
  return setting === 'always' || isKnown ? 'expected' : 'opened'
}
