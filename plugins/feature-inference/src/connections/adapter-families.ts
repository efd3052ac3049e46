/** The seven families: plain name and default protocol by id. */
export const adapterFamilies: Readonly<Record<string, { readonly name: string; readonly protocol: string }>> = {
  adapter_alpha: { name: 'openai', protocol: 'completions' },
  adapter_beta: { name: 'anthropic', protocol: 'anthropic-messages' },
  adapter_gamma: { name: 'gemini', protocol: 'google-generate-content' },
  adapter_delta: { name: 'bedrock', protocol: 'amazon-bedrock-converse' },
  adapter_epsilon: { name: 'cohere', protocol: 'cohere-chat' },
  adapter_zeta: { name: 'ollama', protocol: 'ollama' },
  adapter_eta: { name: 'huggingface', protocol: 'huggingface' },
}

/** The id of an adapter that was written by id or by plain name; a third party's as it is. */
export const adapterId = (written: string): string =>
  Object.entries(adapterFamilies).find(([id, family]) => id === written || family.name === written)?.[0] ?? written

const aliases: Readonly<Record<string, string>> = {
  chat_completions: 'completions',
  'openai-chat-completions': 'completions',
  'openai-responses': 'responses',
}

/** The id of a protocol that was written by id, alias or neutral adapter id. */
export const protocolId = (written: string): string => aliases[written] ?? adapterFamilies[written]?.protocol ?? written
