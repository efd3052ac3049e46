import type { TargetSettings } from '../configuration/models-section.js'

/** Names a connection's model, in what is remembered of it. */
export const targetKey = ({ provider, model }: Pick<TargetSettings, 'provider' | 'model'>): string => `${provider} ${model}`
